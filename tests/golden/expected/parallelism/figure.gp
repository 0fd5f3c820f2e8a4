# A figure of fathom: speedup. Run by
#     gnuplot FILE                                      a PDF
#     gnuplot -e "format='svg'; output='x.svg'" FILE    or png
if (!exists('format')) format = 'pdf'
if (!exists('output')) output = 'fathom-speedup.'.format
if (format eq 'pdf') set terminal pdfcairo size 16cm,10cm font 'Sans,11'
small = format eq 'png' ? ',18' : format eq 'svg' ? ',11' : ',9'
if (format eq 'png') set terminal pngcairo size 1600,1000 font 'Sans,22' linewidth 2 pointscale 2
if (format eq 'svg') set terminal svg size 800,500 dynamic font 'sans-serif,13' background rgb 'white'
if (output ne '') set output output

set encoding utf8
set title 'simulated machine sim:l1=16K/8/lru/4c,l2=128K/8/lru/14c,l3=off,mem=80ns,outliers=0,misses=8/20,walkers=2,bandwidth=64c/32c/8G' noenhanced
set border 3 lc rgb '#404040'
set tics nomirror out
set grid y lc rgb '#e4e4e4' lt 1
set key bmargin center horizontal Left reverse noenhanced title ' '
set xlabel 'chains at once (lanes)' offset 0,0.4
set ylabel 'speed-up over one lane (cut off at the number of lanes)'
set xrange [0.7:16.3]
set xtics autofreq
set yrange [0:8.81492]
set ytics autofreq
set style line 1 lc rgb '#0072b2' lw 1.8 dt 1 pt 7 ps 0.6
set style line 2 lc rgb '#d55e00' lw 1.8 dt 2 pt 5 ps 0.6
set style line 3 lc rgb '#009e73' lw 1.2 dt 4 pt 9 ps 0.6
set style line 4 lc rgb '#cc79a7' lw 1.2 dt 5 pt 13 ps 0.6

# chains at once (lanes), speed-up over one lane (cut off at the number of lanes), and the 95 % interval of the latter: low, high; the former again where a bar shows it
$series1 << EOD
1 1 NaN NaN NaN
2 2 1.990789 2 NaN
3 2.995779 2.985469 3 NaN
4 3.997464 3.981588 4 NaN
5 3.995953 3.978787 4.010676 NaN
6 3.999365 3.980533 4.006482 NaN
7 3.993209 3.979587 4.011275 NaN
8 4.001067 3.986528 4.004917 NaN
9 4.001875 3.980847 4.010377 NaN
10 4.001708 3.987585 4.008238 NaN
11 3.995333 3.979917 4.01334 NaN
12 3.999298 3.983638 4.003673 NaN
13 4.005861 3.983695 4.015061 NaN
14 4.000559 3.987579 4.017697 NaN
15 4.0026 3.983492 4.017932 NaN
16 3.995816 3.981388 4.011961 NaN
EOD
$series2 << EOD
1 1 NaN NaN NaN
2 1.999114 1.995726 2 NaN
3 3 2.996836 3 NaN
4 3.99844 3.993123 4 NaN
5 5 4.994535 5 NaN
6 5.996538 5.984894 6 NaN
7 7 6.981378 7 NaN
8 7.996989 7.964787 8 NaN
9 7.994552 7.9841 8.004498 NaN
10 8.004015 7.990439 8.011866 NaN
11 8.008103 7.990706 8.018904 NaN
12 8.010558 8.005627 8.026719 NaN
13 8.006632 7.996011 8.013296 NaN
14 8.012731 8.002097 8.022722 NaN
15 8.003705 7.980431 8.014437 NaN
16 7.998072 7.9921 8.018178 NaN
EOD
$series3 << EOD
1 1 NaN NaN NaN
2 2 1.991037 2 NaN
3 3 2.976943 3 NaN
4 4 3.982699 4 NaN
5 3.99429 3.973496 4.01409 NaN
6 3.998397 3.979123 4.015987 NaN
7 4.001841 3.985607 4.016976 NaN
8 3.99976 3.983224 4.017839 NaN
9 3.994141 3.975544 4.013409 NaN
10 4.000623 3.983412 4.01929 NaN
11 3.994251 3.974222 4.00996 NaN
12 3.999866 3.98297 4.013285 NaN
13 3.994947 3.980706 4.006987 NaN
14 3.999584 3.980411 4.014248 NaN
15 3.999768 3.974553 4.017028 NaN
16 3.996014 3.978813 4.020652 NaN
EOD
$series4 << EOD
1 1 NaN NaN NaN
2 2 1.995143 2 NaN
3 2.998872 2.996752 3 NaN
4 3.994483 3.989463 4 NaN
5 4.997965 4.99221 5 NaN
6 5.999277 5.987374 6 NaN
7 6.983161 6.972768 7 NaN
8 7.977093 7.958565 7.99417 NaN
9 8.126906 8.118117 8.14551 NaN
10 8.123618 8.09062 8.141283 NaN
11 8.129246 8.115168 8.161964 NaN
12 8.122923 8.101362 8.139964 NaN
13 8.131718 8.123656 8.153749 NaN
14 8.121567 8.111551 8.145207 NaN
15 8.116861 8.10329 8.152187 NaN
16 8.132071 8.091816 8.160077 NaN
EOD

plot x with lines lc rgb '#b0b0b0' dt 1 title 'ideal', \
     $series1 using 1:3:4 with filledcurves fc rgb '#0072b2' fs transparent solid 0.2 noborder notitle, \
     $series2 using 1:3:4 with filledcurves fc rgb '#d55e00' fs transparent solid 0.2 noborder notitle, \
     $series3 using 1:3:4 with filledcurves fc rgb '#009e73' fs transparent solid 0.2 noborder notitle, \
     $series4 using 1:3:4 with filledcurves fc rgb '#cc79a7' fs transparent solid 0.2 noborder notitle, \
     $series1 using 1:2 with linespoints ls 1 title '8 KiB, thp pages', \
     $series2 using 1:2 with linespoints ls 2 title '1 MiB, thp pages', \
     $series3 using 1:2 with linespoints ls 3 title '8 KiB, 4k pages', \
     $series4 using 1:2 with linespoints ls 4 title '1 MiB, 4k pages'
