import type { OnUploadFailed } from './vault-driver.ts'

/** Does `work` for each upload, whatever becomes of the others; gives those for which it was done. */
export async function tryEach<T>(
  uploadIds: readonly string[],
  work: (uploadId: string) => Promise<T>,
  onFailed: OnUploadFailed,
): Promise<{ uploadId: string; result: T }[]> {
  const done: { uploadId: string; result: T }[] = []
  for (const uploadId of uploadIds)
    try {
      done.push({ uploadId, result: await work(uploadId) })
    } catch (error) {
      onFailed(uploadId, error)
    }
  return done
}
