/** The texts of the contract's modules; the first ones' facts are shown first. */
import accounts from './accounts.json' with { type: 'json' }
import agents from './agents.json' with { type: 'json' }
import announcements from './announcements.json' with { type: 'json' }
import audit from './audit.json' with { type: 'json' }
import backups from './backups.json' with { type: 'json' }
import billing from './billing.json' with { type: 'json' }
import clusters from './clusters.json' with { type: 'json' }
import credentials from './credentials.json' with { type: 'json' }
import domains from './domains.json' with { type: 'json' }
import identity from './identity.json' with { type: 'json' }
import observe from './observe.json' with { type: 'json' }
import payments from './payments.json' with { type: 'json' }
import staff from './staff.json' with { type: 'json' }
import wire from './wire.json' with { type: 'json' }

export default [
  wire,
  clusters,
  accounts,
  backups,
  billing,
  observe,
  payments,
  domains,
  audit,
  staff,
  agents,
  announcements,
  credentials,
  identity,
]
