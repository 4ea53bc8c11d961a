/** The cost of checking a wallet's presentation beside the signatures in it. */
import { randomUUID } from 'node:crypto'
import { publicKeyOfDid } from '@atoll/did'
import { createScriptedWallet, type ScriptedWallet, startPostgresServer } from '@atoll/testkit'
import Fastify from 'fastify'
import { base64url, compactVerify, decodeProtectedHeader, importJWK } from 'jose'
import { createCredentials } from '../../apps/server/src/modules/credentials/index.ts'
import { systemClock } from '../../apps/server/src/platform/clock.ts'
import { createSealer } from '../../apps/server/src/platform/crypto.ts'
import { createDatabase, type Database, migrate } from '../../apps/server/src/platform/db/index.ts'
import { median, type Ratio } from '../figures.ts'

/** An odd number, so that the median is one of them; many, as a window may meet what else the machine does. */
const rounds = 31
const perRound = 600
const warmUps = 3
const holders = 40
const atATime = 8
const origin = 'https://atoll.test'
const locale = 'en-US'

interface Presented {
  jws: string
  expected: { userid: string; did: string; domain: string; locale: typeof locale; number: number }
  /** The presentation, the credential in it, and the list that says whether it was revoked. */
  parts: string[]
}

/**
 * Presentations checked per second ÷ bare `jose` over the same three signatures: those of the presentation, of its
 * credential and of the list of revoked ones, for which the server has its own rows. Keys of the reference are read
 * once.
 */
export async function measurePresentations(): Promise<Ratio> {
  const server = await startPostgresServer()
  const database = createDatabase({ connectionString: server.url('postgres') })
  const app = Fastify()
  try {
    await migrate(database.pool)
    const credentials = createCredentials({
      db: database.db,
      clock: systemClock,
      sealer: createSealer(Buffer.alloc(32, 7)),
      config: { publicUrl: origin, chinaUrl: origin, product: 'Atoll' },
    })
    await app.register(credentials.plugin)
    const presented: Presented[] = []
    for (let index = 0; index < holders; index += 1)
      presented.push(await present(database, credentials, app, createScriptedWallet(), `cloud${index}.bench.example`))
    const keys = await readKeys(presented)
    const verify = async (jws: string) => {
      const key = keys.get(signerOf(jws))
      if (!key) throw new Error('a key is missing')
      await compactVerify(jws, key)
    }
    const ours = ({ jws, expected }: Presented) => credentials.readPresentation(jws, expected)
    const bare = async ({ parts }: Presented) => {
      for (const jws of parts) await verify(jws)
    }
    const rates = { ours: [] as number[], bare: [] as number[] }
    for (let round = -warmUps; round < rounds; round += 1) {
      // By turns the first: what one leaves to the garbage collector falls on the other.
      const [first, second] = round % 2 === 0 ? (['bare', 'ours'] as const) : (['ours', 'bare'] as const)
      for (const what of [first, second]) {
        const rate = await ratePerSecond(presented, what === 'bare' ? bare : ours)
        if (round >= 0) rates[what].push(rate)
      }
    }
    return {
      name: 'presentations checked ÷ bare jose verification of the same three JWS',
      // Of pairs that were measured one after the other: a machine that slows down slows down both.
      value: median(rates.ours.map((rate, round) => rate / (rates.bare[round] ?? Number.NaN))),
      target: { atLeast: 0.5 },
      from: `${median(rates.ours).toFixed(0)}/s, ${median(rates.bare).toFixed(0)}/s, ${atATime} at a time, ${rounds} rounds`,
    }
  } finally {
    await app.close()
    await database.close()
    await server.stop()
  }
}

async function present(
  { db }: Database,
  credentials: ReturnType<typeof createCredentials>,
  app: ReturnType<typeof Fastify>,
  { did, kid, sign }: ScriptedWallet,
  domain: string,
): Promise<Presented> {
  const at = systemClock.now()
  const { account_id: userid } = await db
    .insertInto('accounts')
    .values({ did, can_create_cluster: true, created_at: at })
    .returning('account_id')
    .executeTakeFirstOrThrow()
  const claim = { userid, name: domain, is_apex: false, method: 'ns', status: 'WAIT_SUBMIT_VP' } as const
  const { number } = await db
    .insertInto('domains')
    .values({ ...claim, txt_token: 'none', proven_at: at, checks_since: at, created_at: at, updated_at: at })
    .returning('number')
    .executeTakeFirstOrThrow()
  const application = { id: randomUUID(), owner: did }
  const issued = await db
    .transaction()
    .execute((trx) => credentials.issue(trx, { number, domain, userid, did, application }))
  const [credential = ''] = issued.verifiableCredentials
  const definition = (await app.inject('/get_presentation_definition/Domain')).json().data
  const descriptor = { format: 'jwt_vc', path: '$.verifiableCredential[0]', id: definition.input_descriptors[0].id }
  const id = randomUUID()
  const vp = {
    '@context': ['https://www.w3.org/2018/credentials/v1'],
    id,
    type: ['VerifiablePresentation'],
    holder: did,
    presentation_submission: { id: randomUUID(), definition_id: definition.id, descriptor_map: [descriptor] },
    verifiableCredential: [credential],
  }
  const jws = sign({ jti: id, sub: did, iss: kid, nonce: randomUUID(), vp })
  const list = (await app.inject('/credentials/status/1')).body
  return { jws, expected: { userid, did, domain, locale, number }, parts: [jws, credential, list] }
}

const signerOf = (jws: string) => (decodeProtectedHeader(jws).kid ?? '').split('#')[0] ?? ''

async function readKeys(presented: readonly Presented[]) {
  const signers = new Set(presented.flatMap(({ parts }) => parts.map(signerOf)))
  const keys = new Map<string, Awaited<ReturnType<typeof importJWK>>>()
  for (const did of signers) {
    const x = base64url.encode(publicKeyOfDid(did) ?? new Uint8Array())
    keys.set(did, await importJWK({ kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', x }))
  }
  return keys
}

async function ratePerSecond(presented: readonly Presented[], check: (one: Presented) => Promise<unknown>) {
  const begun = performance.now()
  let next = 0
  async function work(): Promise<void> {
    for (;;) {
      const one = presented[next % presented.length]
      if (next >= perRound || !one) return
      next += 1
      await check(one)
    }
  }
  await Promise.all(Array.from({ length: atATime }, work))
  return perRound / ((performance.now() - begun) / 1000)
}
