/** The questions of `atollctl setup`. Each is also a flag of the same name; one with a default may be left empty. */
import { isIP } from 'node:net'

export interface Answers {
  console: string
  wallet: string
  vault: string
  base: string
  https: 'edge' | 'proxy'
  address: string
  'acme-email': string
  'acme-directory': string
  'acme-ca-file': string
  'name-server': string
  challenges: string
  smtp: string
  'mail-from': string
  payment: 'stripe' | 'sandbox'
  'stripe-secret-key': string
  'stripe-webhook-secret': string
  lxd: string
  'lxd-network': string
  'lxd-mail-network': string
  'lxd-client-cert': string
  'lxd-client-key': string
  'lxd-server-cert': string
  'control-address': string
  backup: string
}
export type QuestionName = keyof Answers
export type Given = Readonly<Partial<Record<QuestionName, string>>>

export interface Question {
  name: QuestionName
  text: string
  /** Is it asked, after what was answered before it? Left out: always. */
  isAsked?(given: Given): boolean
  /** The meaning of an empty answer; undefined: it has to be answered. */
  fallback?(given: Given): string | undefined
  /** The fault of an answer, as the end of a sentence. */
  problem?(answer: string): string | undefined
}

const host = (text: string) =>
  /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/.test(text)
    ? undefined
    : 'is no host name in lower case'
const oneOf =
  (...words: string[]) =>
  (text: string) =>
    words.includes(text) ? undefined : `is none of ${words.join(', ')}`
const url =
  (...protocols: string[]) =>
  (text: string) =>
    text === 'none' || protocols.includes(URL.parse(text)?.protocol ?? '')
      ? undefined
      : `is neither none nor an address that begins with ${protocols.map((one) => `${one}//`).join(' or ')}`
const file = (text: string) => (text.startsWith('/') ? undefined : 'is no absolute path')
const addresses = (text: string) =>
  text.split(',').every((one) => isIP(one) !== 0) ? undefined : 'is no list of addresses with commas between'
const secret = (text: string) => (text.length >= 8 ? undefined : 'is shorter than 8 characters')

export const parentOf = (name: string) => name.slice(name.indexOf('.') + 1)
const besideConsole = (label: string) => (given: Given) => `${label}.${parentOf(given.console ?? '')}`
const byEdge = (given: Given) => given.https === 'edge'
const byStripe = (given: Given) => given.payment === 'stripe'
const hasLxd = (given: Given) => given.lxd !== undefined && given.lxd !== 'none'
const hasLocalLxd = (given: Given) => given.lxd === 'local'
const anything = () => undefined

export const questions: readonly Question[] = [
  { name: 'console', text: 'Host name of the console, such as console.atoll.example', problem: host },
  { name: 'wallet', text: 'Host name of the wallet', fallback: besideConsole('wallet'), problem: host },
  { name: 'vault', text: 'Host name of the vault for backups', fallback: besideConsole('vault'), problem: host },
  {
    name: 'base',
    text: 'Domain of the clusters, which nothing else of yours has, such as reef.example',
    problem: host,
  },
  {
    name: 'https',
    text: 'Who ends TLS: edge (our own, with certificates by ACME) or proxy (yours)',
    fallback: () => 'edge',
    problem: oneOf('edge', 'proxy'),
  },
  {
    name: 'address',
    text: 'Public addresses of this machine, separated by commas',
    problem: addresses,
  },
  {
    name: 'acme-directory',
    text: 'Directory of the certification authority; naming it agrees to its terms',
    isAsked: byEdge,
    fallback: () => 'https://acme-v02.api.letsencrypt.org/directory',
    problem: url('https:'),
  },
  {
    name: 'acme-email',
    text: 'Email that the authority may write to, or none',
    isAsked: byEdge,
    fallback: () => 'none',
    problem: anything,
  },
  {
    name: 'acme-ca-file',
    text: 'PEM file with the root of an authority of your own, or none',
    isAsked: byEdge,
    fallback: () => 'none',
    problem: (text) => (text === 'none' ? undefined : file(text)),
  },
  {
    name: 'name-server',
    text: 'Host name of this machine as name server',
    isAsked: byEdge,
    fallback: besideConsole('ns1'),
    problem: host,
  },
  {
    name: 'challenges',
    text: 'Zone for challenges of certificates, delegated to it',
    isAsked: byEdge,
    fallback: besideConsole('challenges'),
    problem: host,
  },
  {
    name: 'smtp',
    text: 'Mail server, smtps://user:password@host, or none',
    fallback: () => 'none',
    problem: url('smtp:', 'smtps:'),
  },
  {
    name: 'mail-from',
    text: 'Sender address of mails',
    fallback: (given) => `no-reply@${parentOf(given.console ?? '')}`,
    problem: (text) => (/^[^@\s]+@[^@\s]+$/.test(text) ? undefined : 'is no address'),
  },
  {
    name: 'payment',
    text: 'Who charges cards: stripe, or sandbox, which moves no money',
    fallback: () => 'sandbox',
    problem: oneOf('stripe', 'sandbox'),
  },
  { name: 'stripe-secret-key', text: "Stripe's secret key", isAsked: byStripe, problem: secret },
  { name: 'stripe-webhook-secret', text: "Signing secret of Stripe's webhook", isAsked: byStripe, problem: secret },
  {
    name: 'lxd',
    text: 'LXD that runs instances: local (of this machine, which is made ready), https://host:8443, or none',
    fallback: () => 'none',
    problem: (text) => (text === 'local' ? undefined : url('https:')(text)),
  },
  {
    name: 'lxd-network',
    text: 'Network of that LXD for instances',
    isAsked: hasLxd,
    fallback: (given) => (hasLocalLxd(given) ? 'atoll0' : 'lxdbr0'),
  },
  {
    name: 'lxd-mail-network',
    text: 'Network beside it whose instances may reach port 25, for accounts that may send mail, or none',
    isAsked: hasLxd,
    fallback: (given) => (hasLocalLxd(given) ? 'atoll1' : 'none'),
  },
  ...(['client-cert', 'client-key', 'server-cert'] as const).map(
    (part): Question => ({
      name: `lxd-${part}`,
      text: `PEM file for that LXD: ${part.replace('-', ' ')}`,
      isAsked: hasLxd,
      fallback: () => `/etc/atoll/lxd-${part}.pem`,
      problem: file,
    }),
  ),
  {
    name: 'control-address',
    text: 'Address of this machine that instances of LXD reach',
    isAsked: hasLxd,
    fallback: (given) => (hasLocalLxd(given) ? '10.77.0.1' : undefined),
    problem: (text) => (isIP(text) === 0 ? 'is no address' : undefined),
  },
  {
    name: 'backup',
    text: 'Repository for backups of this deployment, as restic names it, or none',
    fallback: () => 'none',
    problem: anything,
  },
]

/** The answers to all that is asked. `ask` is asked what no flag says; it gives an empty text for the default. */
export async function answerAll(
  given: Given,
  ask: ((question: Question, fallback: string | undefined) => Promise<string>) | undefined,
): Promise<{ answers: Given; problems: string[] }> {
  const answers: Partial<Record<QuestionName, string>> = {}
  const problems: string[] = []
  for (const question of questions) {
    const { name, isAsked, fallback, problem } = question
    if (isAsked && !isAsked(answers)) continue
    const standard = fallback?.(answers)
    const said = given[name] ?? (await ask?.(question, standard))?.trim() ?? ''
    const answer = said === '' ? standard : said
    // A default that follows from an answer that cannot be used is no fault of its own.
    const wrong = answer === undefined ? 'is missing' : said === '' ? undefined : problem?.(answer)
    if (wrong !== undefined) problems.push(`--${name}: ${answer === undefined ? '' : `${answer} `}${wrong}`)
    if (answer !== undefined) answers[name] = answer
  }
  return { answers, problems }
}
