"""A node spacing that some rows cannot have costs those rows alone, and the answer says which."""
from fathom_test import MACHINE, check, document, run

COMMON = ['patterns', *MACHINE, '--seed', '7', '--budget', '2s', '--steps', '20000', '--json',
          '--quiet']
USUAL = {'random_cycle', 'sequential', 'reverse', 'strided', 'page_local', 'one_per_page',
         'index_array', 'stride_loop', 'linear_sum', 'branches_random', 'branches_same', 'locks'}


def measure(*options):
    """The node spacings and strides of each pattern, and the rows that are said to lack."""
    warm = [] if '--ablate' in options else ['--cold', 'none']
    result = document(run(*COMMON, *options, *warm))
    points = [point for curve in result['curves'] for point in curve['points']]
    rows = {name: {(point['node_bytes'], point.get('stride_bytes')) for point in points
                   if point['pattern'] == name} for name in {p['pattern'] for p in points}}
    left_out = {warning['where'] for warning in result['warnings']
                if warning['id'] == 'row-left-out'}
    return rows, left_out


rows, left_out = measure('--size', '64K')
check(set(rows) == USUAL and not left_out, rows, left_out)
# A page is no whole number of nodes of 96 bytes, and holds no two of 4 KiB.
for node, stride in (('96', 192), ('4K', 8192)):
    rows, left_out = measure('--size', '64K', '--spacing', node)
    check(set(rows) == USUAL - {'page_local'} and left_out == {'page_local'}, rows, left_out)
    check({of for _, of in rows['strided']} == {stride}, rows['strided'])
# Words of 8 bytes are read where accesses overlap, but single bytes through an index array.
rows, left_out = measure('--size', '64K', '--spacing', '4', '--link', 'index32')
check(set(rows) == USUAL and not left_out, rows, left_out)
check(rows['sequential'] == {(4, None)} or rows['sequential'] == {(4, 0)}, rows['sequential'])
check({node for node, _ in rows['index_array']} == {4}, rows['index_array'])
# The link follows the node: links of 4 bytes for the same, none for bytes, of which no chain is.
check((rows, left_out) == measure('--size', '64K', '--spacing', '4'), rows)
rows, left_out = measure('--size', '64K', '--spacing', '1')
check(set(rows) == USUAL and not left_out, rows, left_out)
check({node for node, _ in rows['index_array']} == {1}, rows['index_array'])
check({node for node, _ in rows['random_cycle']} == {4}, rows['random_cycle'])
rows, left_out = measure('--size', '64K', '--spacing', '12', '--link', 'index32', '--stride', '36,48')
check({of for _, of in rows['strided']} == {36, 48}, rows['strided'])
check({of for _, of in rows['stride_loop']} == {48}, rows['stride_loop'])
check({node for node, _ in rows['index_array']} == {12}, rows['index_array'])
check(left_out == {'page_local', '36 B'}, left_out)
# A size that is too small for what a row chose itself has no such row; that is no warning.
rows, left_out = measure('--size', '128')
check(not left_out and set(rows) == USUAL - {'page_local', 'one_per_page', 'strided',
                                             'stride_loop'}, rows, left_out)

rows, left_out = measure('--size', '64K', '--ablate', '--spacing', '96')
check('page_local' not in rows and left_out == {'page_local'}, rows, left_out)
# The pairs are of lines, whatever the nodes.
check(rows['line_pair'] == {(256, 64), (256, 128)}, rows['line_pair'])
rows, left_out = measure('--size', '64K', '--ablate', '--spacing', '8')
check('random_laps' not in rows and left_out == {'random_laps'}, rows, left_out)
