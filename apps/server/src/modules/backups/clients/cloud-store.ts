/** Where personal servers store backups themselves: a bucket that is not the vault's, reached with short-lived keys. */
export interface CloudStore {
  /** As programs name it: `aws`. */
  cloud: string
  region: string
  bucket: string
  /** Address of the bucket's service, for restic; without a slash at its end. */
  url: string
  /**
   * Credentials that may read, list and put under `prefix/`, and delete only locks of repositories there, for
   * `seconds`. Throws `CloudStoreError` when the service gives none.
   */
  grant(asked: { prefix: string; seconds: number }): Promise<StoreCredentials>
  /** Bytes of all objects under `prefix/`. */
  measure(prefix: string): Promise<number>
  /** Deletes all objects under `prefix/`; safe to repeat. */
  empty(prefix: string): Promise<void>
}

export interface StoreCredentials {
  accessKeyId: string
  secretAccessKey: string
  sessionToken: string
  expiresAt: Date
}

/** The service did not do what it was asked; `message` carries no secret. */
export class CloudStoreError extends Error {
  override name = 'CloudStoreError'
}
