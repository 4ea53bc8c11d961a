import { createHash } from 'node:crypto'
import { avatarLimitBytes } from '@atoll/contract/accounts'
import type { Caller } from '../../../platform/caller.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Db, Trx } from '../../../platform/db/index.ts'
import { publishChange } from '../../../platform/events/index.ts'
import { refuse } from '../../../platform/refusal.ts'
import { recordAudit } from '../../audit/index.ts'
import { setAvatarHash } from '../stores/account-store.ts'
import { encodeAvatar } from './avatar-image.ts'
import { deleteAvatar, saveAvatar } from './avatar-store.ts'

export interface AvatarDeps {
  db: Db
  clock: Clock
  config: { publicUrl: string }
}

/**
 * Where a picture is served: its address changes with its bytes, so it can be kept for ever. Null without a picture.
 */
export function avatarUrl(publicUrl: string, hash: string): string
export function avatarUrl(publicUrl: string, hash: string | null): string | null
export function avatarUrl(publicUrl: string, hash: string | null): string | null {
  return hash === null ? null : `${publicUrl}/avatars/${hash}.webp`
}

/**
 * Takes an uploaded picture, base64 or base64url; gives its address. Refuses each way not to be one in its own words.
 */
export async function setAvatar({ db, clock, config }: AvatarDeps, caller: Caller, image: string): Promise<string> {
  if (!/^[\w+/-]+={0,2}$/.test(image)) refuse('avatarNotPicture')
  // Node reads both alphabets.
  const file = Buffer.from(image, 'base64')
  if (file.length > avatarLimitBytes) refuse('avatarTooLarge', { megabytes: avatarLimitBytes / 1024 ** 2 })
  const encoded = await encodeAvatar(file)
  const hash = createHash('sha256').update(encoded).digest('hex')
  await db.transaction().execute(async (trx) => {
    await changeAvatar(trx, caller, hash)
    await saveAvatar(trx, { userid: caller.userid, hash, image: encoded, created_at: clock.now() })
  })
  return avatarUrl(config.publicUrl, hash)
}

/** Removes the picture. Safe to repeat. */
export async function removeAvatar({ db }: Pick<AvatarDeps, 'db'>, caller: Caller): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await changeAvatar(trx, caller, null)
    await deleteAvatar(trx, caller.userid)
  })
}

/** First in its transaction: it locks the account, so that a picture set and one removed at once do not mix. */
async function changeAvatar(trx: Trx, caller: Caller, hash: string | null): Promise<void> {
  const before = await setAvatarHash(trx, caller.userid, hash)
  if (before === hash) return
  await recordAudit(trx, {
    actor: caller,
    ip: caller.ip,
    action: 'account.setAvatar',
    object: { kind: 'account', id: caller.userid, owner: caller.userid },
    before: { avatar: before },
    after: { avatar: hash },
  })
  await publishChange(trx, { account: caller.userid, topic: 'account', id: caller.userid })
}
