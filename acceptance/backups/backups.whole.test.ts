import { testNewCluster } from './backup-walks.ts'

testNewCluster()
