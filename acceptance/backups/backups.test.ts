import { testBackup } from './backup-walks.ts'

testBackup()
