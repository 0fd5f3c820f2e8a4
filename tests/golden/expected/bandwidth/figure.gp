# A figure of fathom: bandwidth. Run by
#     gnuplot FILE                                      a PDF
#     gnuplot -e "format='svg'; output='x.svg'" FILE    or png
if (!exists('format')) format = 'pdf'
if (!exists('output')) output = 'fathom-bandwidth.'.format
if (format eq 'pdf') set terminal pdfcairo size 16cm,10cm font 'Sans,11'
small = format eq 'png' ? ',18' : format eq 'svg' ? ',11' : ',9'
if (format eq 'png') set terminal pngcairo size 1600,1000 font 'Sans,22' linewidth 2 pointscale 2
if (format eq 'svg') set terminal svg size 800,500 dynamic font 'sans-serif,13' background rgb 'white'
if (output ne '') set output output

set encoding utf8
set title 'simulated machine sim:l1=16K/8/lru/4c,l2=128K/8/lru/14c,l3=off,mem=80ns,outliers=0,cpus=4,bandwidth=64c/32c/12G' noenhanced
set border 3 lc rgb '#404040'
set tics nomirror out
set grid y lc rgb '#e4e4e4' lt 1
set key bmargin center horizontal Left reverse noenhanced title ' '
set xlabel 'size of each thread''s memory' offset 0,0.4
set ylabel 'bandwidth (GB/s)'
set logscale x 2
set xrange [7123.47826087:1205862.4]
set xtics ('8 KiB' 8192, '16 KiB' 16384, '32 KiB' 32768, '64 KiB' 65536, '128 KiB' 131072, '256 KiB' 262144, '512 KiB' 524288, '1 MiB' 1048576)
set logscale y 10
set yrange [5.21732:266.723]
set ytics ('10' 10, '20' 20, '50' 50, '100' 100, '200' 200)
set style line 1 lc rgb '#0072b2' lw 1.8 dt 1 pt 7 ps 0.6
set style line 2 lc rgb '#d55e00' lw 1.8 dt 2 pt 5 ps 0.6
set style line 3 lc rgb '#009e73' lw 1.8 dt 4 pt 9 ps 0.6
set style line 4 lc rgb '#cc79a7' lw 1.8 dt 5 pt 13 ps 0.6
set style line 5 lc rgb '#e69f00' lw 1.8 dt 3 pt 6 ps 0.6
set style line 6 lc rgb '#56b4e9' lw 1.8 dt 1 pt 4 ps 0.6

# size of each thread's memory, bandwidth (GB/s), and the 95 % interval of the latter: low, high; the former again where a bar shows it
$series1 << EOD
8192 230.6137 230.3672 230.7941 8192

1048576 7.997371 7.995061 8.000526 1048576
EOD
$series2 << EOD
8192 230.8159 230.7234 231.5093 8192

1048576 6.005275 5.999923 6.008587 1048576
EOD
$series3 << EOD
8192 8.009067 7.955011 8.017893 8192

1048576 7.997751 7.99594 8.000919 1048576
EOD
$series4 << EOD
8192 230.9146 230.7451 231.2739 8192

1048576 7.987962 7.986186 7.997256 1048576
EOD
$series5 << EOD
8192 15.77388 15.70455 15.81803 8192

1048576 8.001837 7.99672 8.003068 1048576
EOD
$series6 << EOD
8192 230.9379 230.7369 231.9329 8192

1048576 12.00012 11.99831 12.01138 1048576
EOD

plot $series1 using 1:3:4 with filledcurves fc rgb '#0072b2' fs transparent solid 0.2 noborder notitle, \
     $series2 using 1:3:4 with filledcurves fc rgb '#d55e00' fs transparent solid 0.2 noborder notitle, \
     $series3 using 1:3:4 with filledcurves fc rgb '#009e73' fs transparent solid 0.2 noborder notitle, \
     $series4 using 1:3:4 with filledcurves fc rgb '#cc79a7' fs transparent solid 0.2 noborder notitle, \
     $series5 using 1:3:4 with filledcurves fc rgb '#e69f00' fs transparent solid 0.2 noborder notitle, \
     $series6 using 1:3:4 with filledcurves fc rgb '#56b4e9' fs transparent solid 0.2 noborder notitle, \
     $series1 using 1:2 with linespoints ls 1 title 'read', \
     $series1 using 5:3:(0):($4-$3) with vectors nohead lc rgb '#0072b2' lw 1.2 notitle, \
     $series2 using 1:2 with linespoints ls 2 title 'write', \
     $series2 using 5:3:(0):($4-$3) with vectors nohead lc rgb '#d55e00' lw 1.2 notitle, \
     $series3 using 1:2 with linespoints ls 3 title 'write nt', \
     $series3 using 5:3:(0):($4-$3) with vectors nohead lc rgb '#009e73' lw 1.2 notitle, \
     $series4 using 1:2 with linespoints ls 4 title 'copy', \
     $series4 using 5:3:(0):($4-$3) with vectors nohead lc rgb '#cc79a7' lw 1.2 notitle, \
     $series5 using 1:2 with linespoints ls 5 title 'copy nt', \
     $series5 using 5:3:(0):($4-$3) with vectors nohead lc rgb '#e69f00' lw 1.2 notitle, \
     $series6 using 1:2 with linespoints ls 6 title 'update', \
     $series6 using 5:3:(0):($4-$3) with vectors nohead lc rgb '#56b4e9' lw 1.2 notitle
