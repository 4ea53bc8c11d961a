import type { Db, Trx } from '../../../platform/db/index.ts'

interface AvatarsTable {
  account_id: string
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
export async function saveAvatar(
  trx: Trx,
  { userid, ...avatar }: Omit<AvatarsTable, 'account_id'> & { userid: string },
): Promise<void> {
  await trx
    .insertInto('avatars')
    .values({ ...avatar, account_id: userid })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(avatar))
    .execute()
}

export async function deleteAvatar(trx: Trx, userid: string): Promise<void> {
  await trx.deleteFrom('avatars').where('account_id', '=', userid).execute()
}

/** The bytes with this hash, of any account. */
export async function findAvatarImage(db: Db, hash: string): Promise<Buffer | undefined> {
  const row = await db.selectFrom('avatars').select('image').where('hash', '=', hash).limit(1).executeTakeFirst()
  return row?.image
}
