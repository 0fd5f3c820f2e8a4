#!/bin/sh
# Metrics for node_exporter --collector.textfile.directory=FOLDER, once a day, at another minute on each
# node:   0 4 * * * root sleep $((RANDOM \% 3600)); node-exporter.sh FOLDER      (cron, SHELL=/bin/bash)
# The file takes its name when it is whole, so that a half one is never read; what was there stays where
# another fathom measures or the node hangs. An alert: time() - fathom_measured_timestamp_seconds > 2 * 86400.
folder=${1:-/var/lib/prometheus/node-exporter}
exec timeout --kill-after 5 20 fathom --quick --deadline 15s --alone --quiet -o "$folder/fathom.prom"
