# A figure of fathom: latency. Run by
#     gnuplot FILE                                      a PDF
#     gnuplot -e "format='svg'; output='x.svg'" FILE    or png
if (!exists('format')) format = 'pdf'
if (!exists('output')) output = 'fathom-latency.'.format
if (format eq 'pdf') set terminal pdfcairo size 16cm,10cm font 'Sans,11'
small = format eq 'png' ? ',18' : format eq 'svg' ? ',11' : ',9'
if (format eq 'png') set terminal pngcairo size 1600,1000 font 'Sans,22' linewidth 2 pointscale 2
if (format eq 'svg') set terminal svg size 800,500 dynamic font 'sans-serif,13' background rgb 'white'
if (output ne '') set output output

set encoding utf8
set title 'simulated machine sim:l1=16K/8/lru/4c,l2=128K/8/lru/14c,l3=off,mem=80ns,outliers=0' noenhanced offset 0,3.4
set tmargin 7.3
set border 3 lc rgb '#404040'
set tics nomirror out
set grid y lc rgb '#e4e4e4' lt 1
set key bmargin center horizontal Left reverse noenhanced title ' '
set xlabel 'size' offset 0,0.4
set ylabel 'latency (ns)'
set logscale x 2
set xrange [890.434782609:2411724.8]
set xtics ('1 KiB' 1024, '2 KiB' 2048, '4 KiB' 4096, '8 KiB' 8192, '16 KiB' 16384, '32 KiB' 32768, '64 KiB' 65536, '128 KiB' 131072, '256 KiB' 262144, '512 KiB' 524288, '1 MiB' 1048576, '2 MiB' 2097152)
set logscale y 10
set yrange [0.9583:99.6077]
set ytics ('1' 1, '2' 2, '5' 5, '10' 10, '20' 20, '50' 50)
set arrow from first 16484, graph 0 to first 16484, graph 1 nohead back lc rgb '#b0b0b0' dt 3
set label 'L1 16.1 KiB' noenhanced at first 16484, graph 1.02 left offset 0.4,0 rotate by 45 font small tc rgb '#505050'
set arrow from first 118805, graph 0 to first 118805, graph 1 nohead back lc rgb '#b0b0b0' dt 3
set label 'L2 89–124 KiB' noenhanced at first 118805, graph 1.02 left offset 0.4,0 rotate by 45 font small tc rgb '#505050'
set arrow from first 358353, graph 0 to first 358353, graph 1 nohead back lc rgb '#b0b0b0' dt 3
set label 'TLB 1 152–662 KiB' noenhanced at first 358353, graph 1.02 left offset 0.4,0 rotate by 45 font small tc rgb '#505050'
set style line 1 lc rgb '#0072b2' lw 1.8 dt 1 pt 7 ps 0.6
set style line 2 lc rgb '#d55e00' lw 1.2 dt 2 pt 5 ps 0.6

# size, latency (ns), and the 95 % interval of the latter: low, high; the former again where a bar shows it
$series1 << EOD
1024 1.105067 1.103912 1.108792 NaN
1408 1.108461 1.107633 1.112057 NaN
2048 1.106754 1.103698 1.113044 NaN
2880 1.106678 1.102045 1.108456 NaN
4096 1.108027 1.1025 1.109884 NaN
5760 1.10734 1.10521 1.110522 NaN
8192 1.106573 1.103783 1.111837 NaN
11584 1.106369 1.102492 1.108356 NaN
16384 1.105041 1.102338 1.111276 NaN
16704 1.58097 1.576015 1.584504 NaN
17088 2.13037 2.126607 2.13803 NaN
17472 2.662382 2.64915 2.669352 NaN
17856 3.16245 3.149623 3.165956 NaN
19456 3.871245 3.86169 3.885854 NaN
21184 3.875012 3.866736 3.887224 NaN
23168 3.87415 3.867855 3.878928 NaN
32768 3.867918 3.86233 3.877628 NaN
46336 3.872668 3.871302 3.878612 NaN
65536 3.883064 3.877223 3.886021 NaN
71424 3.869609 3.858312 3.875501 NaN
77888 3.866552 3.861778 3.875097 NaN
84928 3.869872 3.855872 3.878758 NaN
92672 22.85697 0.7558373 49.46504 NaN
94656 3.876586 3.854294 3.899574 NaN
96768 3.88198 3.866009 231.3566 NaN
98880 32.2238 32.20625 32.23946 NaN
101056 3.879399 3.864556 3.913744 NaN
110208 32.07185 0.5519559 32.26175 NaN
120128 40.18718 26.52907 64.51103 NaN
131072 53.73793 45.38739 58.29477 NaN
185344 73.24141 63.83469 86.61543 NaN
262144 79.90832 79.74807 79.99251 NaN
370688 79.78493 79.67207 79.90753 NaN
524288 80.39382 80.28337 80.56542 NaN
741440 80.6933 80.64032 80.80996 NaN
1048576 80.97109 80.9534 81.23421 NaN
1482880 81.4112 81.3879 81.46682 NaN
2097152 81.42197 81.38958 81.46905 NaN
EOD
$series2 << EOD
131072 37.15884 28.56253 63.33739 NaN
262144 79.94233 79.92221 79.96973 NaN
524288 80.18339 80.17535 80.20813 NaN
1048576 80.20581 80.19075 80.23652 NaN
2097152 80.20355 80.1837 80.30298 NaN
EOD

plot $series1 using 1:3:4 with filledcurves fc rgb '#0072b2' fs transparent solid 0.2 noborder notitle, \
     $series2 using 1:3:4 with filledcurves fc rgb '#d55e00' fs transparent solid 0.2 noborder notitle, \
     $series1 using 1:2 with linespoints ls 1 title 'random cycle', \
     $series2 using 1:2 with linespoints ls 2 title 'windows of 64 KiB'
