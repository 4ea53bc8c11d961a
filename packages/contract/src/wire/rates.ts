/**
 * How often calls and endpoints may be used (wire, "Envelope"). Each one that changes something names its rate where it
 * is defined; what only reads has `rates.read` unless it says otherwise.
 */

/** Requests a minute; as many may come at once. */
export interface Rate {
  /** Of one account, once it is known who asks. */
  account: number
  /** For one IPv4 address, which many may share, or one /64 of IPv6, for all callers together. */
  network: number
  /** `ATOLL_SIGN_IN_RATE` says how many of one network, instead of `network`. */
  isSignIn?: true
  /** It uses up something scarce: counted in the database besides, together with all others that do. */
  scarce?: Scarce
}

/**
 * - `records`: of the audit log; - `mails`: to addresses that somebody typed; - `names`: IDs, and the lock on all of
 * them.
 */
export type Scarce = 'records' | 'mails' | 'names'

export const rates = {
  /** An answer that is looked up. A console with many tabs asks some hundred times a minute. */
  read: { account: 1200, network: 12_000 },
  /** Many answers in one, for a page that is opened; 200 a second of one network made all others wait. */
  page: { account: 300, network: 3000 },
  /** An answer that takes long to make: a file, a forecast, an export. */
  costly: { account: 120, network: 1200 },
  /** Writes a few rows, one of the audit log among them. */
  change: { account: 120, network: 1200, scarce: 'records' },
  /** Has an outside server asked. */
  outside: { account: 60, network: 600, scarce: 'records' },
  mail: { account: 30, network: 600, scarce: 'mails' },
  /** Takes the lock on all names. */
  name: { account: 30, network: 300, scarce: 'names' },
  /** Without a session: checks a signature or a secret, or writes a row. */
  signIn: { account: 600, network: 600, isSignIn: true },
  /** As `signIn`, for an ID. */
  bindName: { account: 600, network: 600, isSignIn: true, scarce: 'names' },
  /** Without a session: counted where a secret was wrong. */
  guess: { account: 60, network: 60 },
  /** As `guess` and `name`. */
  join: { account: 60, network: 60, scarce: 'names' },
  /** Each picture is decoded, which takes a processor for a second. */
  picture: { account: 10, network: 60, scarce: 'records' },
  /** Background calls of programs for many accounts behind one address: agents, gateways, proxies. */
  machine: { account: 1200, network: 60_000 },
  /** A channel is opened: of an account means of one instance, which after a cut dials again at growing intervals. */
  dial: { account: 60, network: 60_000 },
  /** Files of many MB, for anybody. */
  download: { account: 600, network: 600, isSignIn: true },
} as const satisfies Record<string, Rate>

/** Calls name theirs: the table itself stays out of the front ends. */
export type RateName = keyof typeof rates
