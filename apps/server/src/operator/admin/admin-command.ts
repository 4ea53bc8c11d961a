import { type StaffRole, staffRoles } from '@atoll/contract/wire'
import { isRelease } from '../../platform/install.ts'
import { OperatorError } from '../../platform/operator-error.ts'

/** The parsed arguments of `npm run admin`. */
export type AdminCommand =
  | { name: 'help' }
  | {
      name:
        | 'list'
        | 'strays'
        | 'careful'
        | 'resume'
        | 'resume-sweep'
        | 'accept-folder'
        | 'parked'
        | 'disputes'
        | 'retire-issuer'
        | 'retire-statement-key'
    }
  | { name: 'clock'; word: 'accept' }
  | { name: 'destroy-stray'; which: string }
  | { name: 'release-domain' | 'revoke-credential'; domain: string }
  | { name: 'undo-prune' | 'grants' | 'undo-go-back'; backup: string }
  | { name: 'go-back'; backup: string; grant: string }
  | { name: 'grant' | 'revoke' | 'unpark'; who: string }
  | { name: 'staff'; who: string; role: StaffRole | null }
  | { name: 'quota'; who: string; vCpuQuota: number | null }
  | { name: 'allow-create' | 'allow-mail'; who: string; may: boolean }
  | { name: 'refund'; paymentId: string; amount: string }
  | { name: 'end-refund'; refundId: string; ref: string | null }
  | { name: 'adopt-capture'; which: string; who?: string }
  | { name: 'dispute-evidence'; dispute: string }
  | { name: 'archive'; accountId: string }
  | { name: 'decide-dispute'; dispute: string; verdict: 'won' | 'lost' }
  | { name: 'credit'; who: string; amount: string; kind: 'cash' | 'promo'; lastDay?: string }

export const adminHelp = `Usage: ${isRelease ? 'atollctl admin' : 'npm run admin --'} <command> [--json]

  list                          who has an account, with role, permission and quota
  grant <who>                   make an Admin: sees and may act on everybody's clusters
  revoke <who>                  make a User again
  staff <who> support|operator|end
                                the operator's area: support reads and helps, an operator also moves money, suspends and gives
                                roles; the last operator stays
  quota <who> <vCPU>|plan       vCPU of all its instances together, where its plan includes fewer; plan: as its plan says
  allow-create <who> yes|no     whether the account may create clusters
  allow-mail <who> yes|no       whether its instances on LXD may reach TCP port 25 elsewhere, from their next start
  refund <payment> <amount>     back to the card, from the balance: never above what the card paid and the balance holds;
                                of a capture of which no payment is here (pay_… or the gateway's ID) it is adopted first
  end-refund <refund> done <id>|declined
                                a refund that has waited a day for a gateway which is not in use or does not answer, as you saw it end there:
                                done under that ID, or declined, and on the balance again
  adopt-capture <capture> [<who>]
                                what the gateway took and nothing here stands for, as after a restore, becomes the credit of
                                who paid it; ledger:verify --gateway lists such captures
  disputes                      payments that banks dispute, with what was withdrawn and until when evidence counts
  dispute-evidence <dispute>    write a ZIP of what was ordered, used, signed in to and mailed, to answer the bank with
  archive <account>             of an erased account (ac_…): write a ZIP of its issued documents, which the law has kept, as they
                                were; recorded
  decide-dispute <dispute> won|lost
                                of the sandbox: what the bank would do; of a gateway that is not in use: how you saw it end there
  credit <who> <amount> cash    to the balance, below zero from it, in the account's currency
  credit <who> <amount> promo [<last day>]
                                promotional credit, that ends with that day (2027-01-31), or never
  parked                        accounts of which no bills are written, because there were too many or one was too large
  unpark <who>                  write its bills again, all that are due since
  strays                        what is outside (instances, zones, files of the vault) and no row of the database names, and where none is looked for
  destroy-stray <id>|all        destroy them now instead of after ATOLL_STRAY_DAYS
  release-domain <domain>       take a linked domain from its account: credential, zone and IDs under it end
  revoke-credential <domain>    of a linked domain: for a wallet that was lost; the domain stays
  retire-issuer                 have another key sign the credentials of domains from now on; those that were signed stay valid
  retire-statement-key          have another key sign statements from now on; those that were signed stay sound
  undo-prune <backup>           bring back what was forgotten and pruned of a backup (bk_…) and is in the trash still
  grants <backup>               rights under which the store of a backup was changed, and whether it can go back to before each
  go-back <backup> <grant>      take it back to before that right (vg_…): after its machine was taken over
  undo-go-back <backup>         undo that
  careful                       no money moves and nothing is destroyed by a deadline until resume: before a database that is
                                older than the world is put to work
  resume                        after a restore: all is well, money may move and strays be swept again
  clock accept                  the clock is right as it is: deadlines that wait because it jumped hold again
  resume-sweep                  look for them again after a restore: this database is the only one at work
  accept-folder                 take the data folder of the worker at hand for the one with the instances: the old one is lost

<who> is an ID (name@domain), a DID (did:key:z6Mk…) or an account (ac_…). The deployment is the one of ATOLL_DATA_DIR
(default .data), whether
its server runs or not, or of DATABASE_URL. --json gives the answer as JSON.

Exit codes: 0 done; 2 it could not be, or the command was not understood.
`
/** The most that the database's column holds, and more than any account has. */
const largestQuota = 1_000_000

/** Reads the arguments; throws what is wrong with them. */
export function readAdminCommand(args: readonly string[]): AdminCommand {
  const [name, who, value, ...rest] = args
  if (name === undefined || name === 'help' || args.some((word) => word === '--help' || word === '-h'))
    return { name: 'help' }
  const expect = (count: number) => {
    const given = [who, value, ...rest].filter((part) => part !== undefined).length
    if (given !== count)
      throw new OperatorError(`"${name}" takes ${count} argument${count === 1 ? '' : 's'}.\n\n${adminHelp}`)
  }
  switch (name) {
    case 'list':
    case 'strays':
    case 'careful':
    case 'resume':
    case 'resume-sweep':
    case 'accept-folder':
    case 'parked':
    case 'disputes':
    case 'retire-issuer':
    case 'retire-statement-key':
      expect(0)
      return { name }
    case 'clock':
      expect(1)
      if (who !== 'accept') throw new OperatorError(`"${who}" is not the word accept.`)
      return { name, word: who }
    case 'destroy-stray':
      expect(1)
      return { name, which: who ?? '' }
    case 'release-domain':
    case 'revoke-credential':
      expect(1)
      return { name, domain: who ?? '' }
    case 'grant':
    case 'revoke':
    case 'unpark':
      expect(1)
      return { name, who: who ?? '' }
    case 'undo-prune':
    case 'grants':
    case 'undo-go-back':
      expect(1)
      return { name, backup: who ?? '' }
    case 'go-back':
      expect(2)
      return { name, backup: who ?? '', grant: value ?? '' }
    case 'staff': {
      expect(2)
      const role = staffRoles.find((known) => known === value)
      if (role === undefined && value !== 'end')
        throw new OperatorError(`"${value}" is neither support, operator nor the word end.`)
      return { name, who: who ?? '', role: role ?? null }
    }
    case 'quota': {
      expect(2)
      if (value === 'plan') return { name, who: who ?? '', vCpuQuota: null }
      if (!/^\d{1,7}$/.test(value ?? '') || Number(value) > largestQuota) {
        throw new OperatorError(
          `vCPU: "${value}" is neither a whole number from 0 to ${largestQuota} nor the word plan.`,
        )
      }
      return { name, who: who ?? '', vCpuQuota: Number(value) }
    }
    case 'allow-create':
    case 'allow-mail':
      expect(2)
      if (value !== 'yes' && value !== 'no') throw new OperatorError(`"${value}" is neither yes nor no.`)
      return { name, who: who ?? '', may: value === 'yes' }
    case 'refund':
      expect(2)
      return { name, paymentId: who ?? '', amount: value ?? '' }
    case 'end-refund':
      if (value !== 'done' && value !== 'declined') throw new OperatorError(`"${value}" is neither done nor declined.`)
      expect(value === 'done' ? 3 : 2)
      return { name, refundId: who ?? '', ref: rest[0] ?? null }
    case 'adopt-capture':
      expect(value === undefined ? 1 : 2)
      return { name, which: who ?? '', ...(value !== undefined && { who: value }) }
    case 'dispute-evidence':
      expect(1)
      return { name, dispute: who ?? '' }
    case 'archive':
      expect(1)
      return { name, accountId: who ?? '' }
    case 'decide-dispute':
      expect(2)
      if (value !== 'won' && value !== 'lost') throw new OperatorError(`"${value}" is neither won nor lost.`)
      return { name, dispute: who ?? '', verdict: value }
    case 'credit': {
      const [kind, lastDay] = rest
      expect(kind === 'promo' && lastDay !== undefined ? 4 : 3)
      if (kind !== 'cash' && kind !== 'promo') throw new OperatorError(`"${kind}" is neither cash nor promo.`)
      return { name, who: who ?? '', amount: value ?? '', kind, ...(lastDay !== undefined && { lastDay }) }
    }
    default:
      throw new OperatorError(`There is no command "${name}".\n\n${adminHelp}`)
  }
}
