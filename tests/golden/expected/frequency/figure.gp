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
set title 'simulated machine sim:l1=16K/8/lru/4c,l2=128K/8/lru/14c,l3=off,mem=80ns,outliers=0,placement=even' noenhanced offset 0,3.4
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
set yrange [0.986399:95.3639]
set ytics ('1' 1, '2' 2, '5' 5, '10' 10, '20' 20, '50' 50)
set arrow from first 16486, graph 0 to first 16486, graph 1 nohead back lc rgb '#b0b0b0' dt 3
set label 'L1 16.1 KiB' noenhanced at first 16486, graph 1.02 left offset 0.4,0 rotate by 45 font small tc rgb '#505050'
set arrow from first 132165, graph 0 to first 132165, graph 1 nohead back lc rgb '#b0b0b0' dt 3
set label 'L2 129 KiB' noenhanced at first 132165, graph 1.02 left offset 0.4,0 rotate by 45 font small tc rgb '#505050'
set arrow from first 394158, graph 0 to first 394158, graph 1 nohead back lc rgb '#b0b0b0' dt 3
set label 'TLB 1 333–445 KiB' noenhanced at first 394158, graph 1.02 left offset 0.4,0 rotate by 45 font small tc rgb '#505050'
set style line 1 lc rgb '#0072b2' lw 1.8 dt 1 pt 7 ps 0.6
set style line 2 lc rgb '#d55e00' lw 1.8 dt 2 pt 5 ps 0.6

# size, latency (ns), and the 95 % interval of the latter: low, high; the former again where a bar shows it
$series1 << EOD
1024 1.994956 1.987179 2.000664 NaN
1408 1.996594 1.992195 2.005834 NaN
2048 1.997427 1.991424 1.998668 NaN
2880 1.995382 1.993246 2.001872 NaN
4096 1.997741 1.988669 2.007292 NaN
5760 1.995379 1.988756 2.005482 NaN
8192 1.99895 1.996082 2.003178 NaN
11584 1.995153 1.987661 2.003406 NaN
16384 1.993402 1.988737 2.000607 NaN
16704 2.849853 2.843612 2.852477 NaN
17088 3.846688 3.837249 3.850773 NaN
17472 4.787413 4.776408 4.801085 NaN
17856 5.690291 5.668654 5.701894 NaN
19456 6.980957 6.962449 6.99177 NaN
21184 6.989505 6.964992 6.993042 NaN
23168 6.992242 6.970325 7.002823 NaN
32768 6.975295 6.965193 7.007294 NaN
46336 6.984813 6.96631 7.015512 NaN
65536 6.994737 6.986925 6.998939 NaN
92672 6.987361 6.978134 7.002753 NaN
131072 6.985745 6.969637 6.995773 NaN
133888 20.80168 20.78936 20.84811 NaN
136832 34.62545 34.59578 34.71742 NaN
139840 48.18349 48.15905 48.21243 NaN
142912 61.43497 61.37674 61.48539 NaN
155840 80.03026 79.99176 80.06635 NaN
169920 80.01277 79.94687 80.07296 NaN
185344 79.98586 79.90416 80.05293 NaN
262144 80.03587 79.97416 80.06666 NaN
370688 79.99097 79.90549 80.04128 NaN
524288 80.87882 80.77609 80.93964 NaN
741440 81.62354 81.56564 81.69097 NaN
1048576 82.17257 81.94527 82.23785 NaN
1482880 82.60533 82.5356 82.66054 NaN
2097152 82.89347 82.85147 82.92509 NaN
EOD
$series2 << EOD
1024 1.138849 1.134974 1.143252 NaN
1408 1.140168 1.136724 1.141765 NaN
2048 1.139976 1.137328 1.14143 NaN
2880 1.139962 1.139319 1.14498 NaN
4096 1.138935 1.134756 1.141387 NaN
5760 1.140108 1.138246 1.146181 NaN
8192 1.137952 1.136097 1.141587 NaN
11584 1.139516 1.13479 1.145451 NaN
16384 1.139171 1.134359 1.140767 NaN
16704 1.627707 1.620808 1.630991 NaN
17088 2.196261 2.18863 2.197121 NaN
17472 2.734623 2.731555 2.739892 NaN
17856 3.253505 3.248749 3.261044 NaN
19456 3.982314 3.971317 3.996699 NaN
21184 3.982907 3.960174 3.993479 NaN
23168 3.993299 3.977177 4.001475 NaN
32768 3.984942 3.97549 3.997844 NaN
46336 3.986371 3.973934 3.996393 NaN
65536 3.985557 3.980615 4.004478 NaN
92672 3.987996 3.97919 3.994489 NaN
131072 3.982977 3.978531 4.00324 NaN
133888 18.35303 18.33408 18.37052 NaN
136832 32.73355 32.69467 32.82812 NaN
139840 46.82359 46.76585 46.8639 NaN
142912 60.58582 60.55346 60.61752 NaN
155840 80.01384 79.91022 80.06662 NaN
169920 79.99603 79.91479 80.07544 NaN
185344 79.93984 79.89474 79.98998 NaN
262144 79.95736 79.89747 79.98827 NaN
370688 79.9225 79.84485 79.98278 NaN
524288 80.48873 80.35385 80.52074 NaN
741440 80.86841 80.74937 80.92973 NaN
1048576 81.23325 81.09114 81.30596 NaN
1482880 81.49547 81.39109 81.52932 NaN
2097152 81.52507 81.37096 81.65686 NaN
EOD

plot $series1 using 1:3:4 with filledcurves fc rgb '#0072b2' fs transparent solid 0.2 noborder notitle, \
     $series2 using 1:3:4 with filledcurves fc rgb '#d55e00' fs transparent solid 0.2 noborder notitle, \
     $series1 using 1:2 with linespoints ls 1 title 'random cycle, 2.00 GHz', \
     $series2 using 1:2 with linespoints ls 2 title 'random cycle, 3.51 GHz'
