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
set title 'simulated machine sim:l1=16K/8/lru/4c,l2=128K/8/lru/14c,l3=off,mem=80ns,outliers=0,dtlb=16/4/lru/0c,stlb=128/8/lru/7c' noenhanced
set border 3 lc rgb '#404040'
set tics nomirror out
set grid y lc rgb '#e4e4e4' lt 1
set key bmargin center horizontal Left reverse noenhanced title ' '
set xlabel 'size' offset 0,0.4
set ylabel 'latency (ns)'
set logscale x 2
set xrange [3561.73913043:4823449.6]
set xtics ('4 KiB' 4096, '8 KiB' 8192, '16 KiB' 16384, '32 KiB' 32768, '64 KiB' 65536, '128 KiB' 131072, '256 KiB' 262144, '512 KiB' 524288, '1 MiB' 1048576, '2 MiB' 2097152, '4 MiB' 4194304)
set logscale y 10
set yrange [0.957842:98.2296]
set ytics ('1' 1, '2' 2, '5' 5, '10' 10, '20' 20, '50' 50)
set style line 1 lc rgb '#0072b2' lw 1.8 dt 1 pt 7 ps 0.6
set style line 2 lc rgb '#d55e00' lw 1.8 dt 2 pt 5 ps 0.6

# size, latency (ns), and the 95 % interval of the latter: low, high; the former again where a bar shows it
$series1 << EOD
4096 1.105699 1.103594 1.110899 NaN
5760 1.106056 1.10189 1.109222 NaN
8192 1.103292 1.101633 1.108504 NaN
11584 1.109687 1.102019 1.11192 NaN
16384 1.10776 1.103308 1.109023 NaN
23168 3.877651 3.86506 3.884208 NaN
32768 3.86591 3.862898 3.881857 NaN
46336 3.874843 3.86491 3.880033 NaN
65536 3.867205 3.858778 3.871056 NaN
92672 4.482783 4.464383 4.512154 NaN
131072 52.29132 47.53914 52.4837 NaN
185344 72.7869 71.07667 81.15978 NaN
262144 81.35816 81.24267 81.39615 NaN
370688 81.31305 81.11268 81.53781 NaN
524288 81.64729 81.60921 81.70012 NaN
741440 82.60911 82.45272 82.91527 NaN
1048576 83.74907 83.69528 83.86876 NaN
1482880 84.13402 83.95817 84.22903 NaN
2097152 84.79614 84.72777 84.9255 NaN
2965760 84.83989 84.76482 84.97758 NaN
4194304 85.23836 85.18627 85.41703 NaN
EOD
$series2 << EOD
4096 1.103009 1.101518 1.111172 NaN
5760 1.106528 1.101597 1.107697 NaN
8192 1.103294 1.102424 1.10559 NaN
11584 1.107318 1.105957 1.112225 NaN
16384 1.106659 1.102726 1.108793 NaN
23168 3.87647 3.868344 3.886898 NaN
32768 3.877809 3.872413 3.885908 NaN
46336 3.862976 3.859471 3.870515 NaN
65536 3.878701 3.87087 3.88857 NaN
92672 3.866403 3.863629 3.868141 NaN
131072 3.851599 3.846503 3.856559 NaN
185344 79.93419 79.9212 79.948 NaN
262144 79.97386 79.89529 80.10834 NaN
370688 79.88418 79.8551 80.03172 NaN
524288 79.9 79.79706 79.95428 NaN
741440 79.98406 79.83597 80.08214 NaN
1048576 79.78903 79.66965 79.79935 NaN
1482880 79.95023 79.87275 80.02142 NaN
2097152 79.72628 79.66331 79.81591 NaN
2965760 80.0105 79.8701 80.09554 NaN
4194304 79.95231 79.7922 80.08416 NaN
EOD

plot $series1 using 1:3:4 with filledcurves fc rgb '#0072b2' fs transparent solid 0.2 noborder notitle, \
     $series2 using 1:3:4 with filledcurves fc rgb '#d55e00' fs transparent solid 0.2 noborder notitle, \
     $series1 using 1:2 with linespoints ls 1 title 'random cycle, 4k pages', \
     $series2 using 1:2 with linespoints ls 2 title 'random cycle, thp pages'
