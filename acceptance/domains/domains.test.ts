import { describeDomainWalk } from './domain-walks.ts'

describeDomainWalk('alone')
