"""ReFrame check: measures every idle node at once and judges each by the others of its kind.

    reframe -c reframe_fathom.py -r --distribute=idle      or, as here, one job over all of them"""
import reframe as rfm
import reframe.utility.sanity as sn


@rfm.simple_test
class FathomFleet(rfm.RunOnlyRegressionTest):
    descr = 'memory of all nodes: who deviates from the nodes of its kind'
    valid_systems = ['*']
    valid_prog_environs = ['*']
    executable = 'fathom'
    executable_opts = ['--quick', '--deadline 15s', '--quiet', '-o', 'runs/run.%h.json']
    prerun_cmds = ['mkdir -p runs']
    postrun_cmds = ['fathom fleet runs']
    num_tasks = 0  # all nodes that are idle
    num_tasks_per_node = 1
    exclusive_access = True
    time_limit = '5m'
    NODES = r'^(?:! )?(?P<nodes>\d+) nodes? in \d+ groups?: \d+ outliers?'
    OUTLIERS = r'^(?:! )?\d+ nodes? in \d+ groups?: (?P<outliers>\d+) outliers?'

    @sanity_function
    def no_node_deviates(self):
        return sn.assert_eq(self.outliers(), 0, 'nodes deviate: see the standard output')

    @performance_function('nodes')
    def nodes(self):
        return sn.extractsingle(self.NODES, self.stdout, 'nodes', int)

    @performance_function('nodes')
    def outliers(self):
        return sn.extractsingle(self.OUTLIERS, self.stdout, 'outliers', int)
