#!/bin/bash
#SBATCH --job-name fathom
#SBATCH --exclusive
#SBATCH --ntasks-per-node 1
#SBATCH --time 5
# All nodes of the job at once:   sbatch --nodes 16 slurm.sh [FOLDER]
set -u
runs=${1:-fathom-runs.$SLURM_JOB_ID}
runs=${runs%/}
mkdir -p "$runs" && touch "$runs/.begun"

# A node that fails or hangs keeps none of the others from its document.
srun --ntasks-per-node 1 --kill-on-bad-exit=0 --wait 30 \
	fathom --quick --deadline 15s --quiet -o "$runs/run.%h.json"

for host in $(scontrol show hostnames "$SLURM_JOB_NODELIST"); do
	# One of an earlier job is none.
	[ -n "$(find "$runs" -name "run.$host.*json" -newer "$runs/.begun")" ] || echo "$host: no document"
done
fathom fleet "$runs"
status=$?
fathom fleet --quiet "$runs" -o "$runs-fleet.json" # beside the folder, whose files are nodes
exit $status # 6: a node deviates
