import { describeDomainWalk } from './domain-walks.ts'

describeDomainWalk('together')
