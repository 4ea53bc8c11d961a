import type { Db, Trx } from '../../../platform/db/index.ts'

interface AvatarsTable {
  userid: string
  /** SHA-256 of `image`, hex. */
  hash: string
  image: Buffer
  created_at: Date
}

declare module '../../../platform/db/index.ts' {
  interface Tables {
    avatars: AvatarsTable
  }
}

/** Keeps a picture as the account's; the one before it goes. */
export async function saveAvatar(trx: Trx, avatar: AvatarsTable): Promise<void> {
  const { hash, image, created_at } = avatar
  await trx
    .insertInto('avatars')
    .values(avatar)
    .onConflict((conflict) => conflict.column('userid').doUpdateSet({ hash, image, created_at }))
    .execute()
}

export async function deleteAvatar(trx: Trx, userid: string): Promise<void> {
  await trx.deleteFrom('avatars').where('userid', '=', userid).execute()
}

/** The bytes with this hash, whoever's they are. */
export async function findAvatarImage(db: Db, hash: string): Promise<Buffer | undefined> {
  const row = await db.selectFrom('avatars').select('image').where('hash', '=', hash).limit(1).executeTakeFirst()
  return row?.image
}
