/** The images of instances, by their names in the catalogue. */
import { constants, openAsBlob } from 'node:fs'
import { access, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { FormData } from 'undici'
import { z } from 'zod'
import { ProviderError } from '../../provider/compute-provider.ts'
import { Image, ImageAlias } from './lxd-answers.ts'
import { type LxdClient, makeOnce } from './lxd-client.ts'

/** `npm run image:build` leaves the agent's image there under this name in the catalogue. */
const builtImage = 'agent'
const imageFiles = ['metadata.tar.gz', 'rootfs.squashfs'] as const
const uploadTimeoutMs = 120_000

const ImageNote = z.object({ fingerprint: z.string().regex(/^[0-9a-f]{64}$/) })

/**
 * The fingerprint of `image`: `agent` is the one that was built here, and is brought to LXD when it is not there yet;
 * anything else is an alias or a fingerprint that the operator's LXD knows. Throws a final `ProviderError` without it.
 */
export async function ensureImage(
  client: LxdClient,
  { project, folder, image }: { project: string; folder: string; image: string },
): Promise<string> {
  if (image !== builtImage) return await findForeign(client, project, image)
  const fingerprint = await readFingerprint(folder)
  if (await client.find(`/1.0/images/${fingerprint}`, Image, { project })) return fingerprint
  await upload(client, { project, folder, fingerprint })
  return fingerprint
}

async function findForeign(client: LxdClient, project: string, image: string): Promise<string> {
  const name = encodeURIComponent(image)
  const alias = await client.find(`/1.0/images/aliases/${name}`, ImageAlias, { project })
  if (alias) return alias.target
  const found = await client.find(`/1.0/images/${name}`, Image, { project })
  if (found) return found.fingerprint
  throw new ProviderError(`LXD has no image "${image}" in the project "${project}"`, { retryable: false })
}

async function readFingerprint(folder: string): Promise<string> {
  let text: string
  try {
    text = await readFile(join(folder, 'image.json'), 'utf8')
  } catch (error) {
    const message = 'The image of the agent is missing; "npm run image:build" makes it'
    throw new ProviderError(message, { retryable: false, cause: error })
  }
  return ImageNote.parse(JSON.parse(text)).fingerprint
}

/** Throws with what is missing of the image in `folder`, or cannot be read. */
export async function readBuiltImage(folder: string): Promise<void> {
  await readFingerprint(folder)
  for (const name of imageFiles) await access(join(folder, name), constants.R_OK)
}

async function upload(
  client: LxdClient,
  { project, folder, fingerprint }: { project: string; folder: string; fingerprint: string },
): Promise<void> {
  const form = new FormData()
  // In this order: LXD reads them as they come.
  const [metadata, rootfs] = imageFiles
  form.append('metadata', await openAsBlob(join(folder, metadata)), metadata)
  form.append('rootfs', await openAsBlob(join(folder, rootfs)), rootfs)
  const query = { project }
  await makeOnce(client, '/1.0/images', { query, upload: form, timeoutMs: uploadTimeoutMs })
  if (!(await client.find(`/1.0/images/${fingerprint}`, Image, query))) {
    throw new ProviderError('The image of the agent was replaced while it was sent', { retryable: true })
  }
  // For people who inspect LXD; instances are made from the fingerprint.
  const name = `atoll-agent-${fingerprint.slice(0, 12)}`
  await makeOnce(client, '/1.0/images/aliases', { query, body: { name, target: fingerprint } })
}
