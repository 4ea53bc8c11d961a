/**
 * Converts an uploaded picture: cropped to a square, 256 px, WebP. The decoded pixels are encoded again, so nothing of
 * the original file survives: no location where it was taken, no second file behind the first. Read by libvips, limited
 * to three formats, known by their first bytes; SVG, which can hold script and ask for other files, is never parsed.
 */
import { avatarSize } from '@atoll/contract/accounts'
import { refuse } from '../../../platform/refusal.ts'

/**
 * Pixels. A small file can claim to be enormous. A plain JPEG is shrunk while it is read, so a photograph of 50
 * megapixels is within it; any other picture may be held whole, 8 bytes a pixel.
 */
const mostPixels = { plainJpeg: 64_000_000, other: 16_000_000 }
/** Seconds. An image that takes longer to decode is no picture of a person. */
const patience = 10
/** Decoding holds one of the four threads that also read files. */
const takeTurn = createTurns({ mostWaiting: 4 })

const signatures: readonly ((bytes: Buffer) => boolean)[] = [
  (bytes) => bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff])),
  (bytes) => bytes.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])),
  (bytes) => bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP',
]

/**
 * The picture as it is stored, WebP. Refuses what is none, cannot be read, or is too large to be decoded, and with
 * `busy` when several others wait to be decoded.
 */
export async function encodeAvatar(file: Buffer): Promise<Buffer> {
  if (!signatures.some((matches) => matches(file))) refuse('avatarNotPicture')
  return await takeTurn(() => decodeAndEncode(file))
}

async function decodeAndEncode(file: Buffer): Promise<Buffer> {
  // A native library of 20 MB: loaded when the first picture comes, not when the server starts.
  const { default: sharp } = await import('sharp')
  const limitInputPixels = Math.max(...Object.values(mostPixels))
  const open = () => sharp(file, { limitInputPixels, failOn: 'error', sequentialRead: true, pages: 1 })
  const { width, height, format, isProgressive } = await open()
    .metadata()
    .catch(() => refuse('avatarUnreadable'))
  const most = format === 'jpeg' && isProgressive !== true ? mostPixels.plainJpeg : mostPixels.other
  if (width * height > most) refuse('avatarTooManyPixels', { megapixels: most / 1_000_000 })
  return await open()
    .timeout({ seconds: patience })
    // As the camera was held; that is all that is read of EXIF.
    .autoOrient()
    .resize(avatarSize, avatarSize, { fit: 'cover', position: 'attention' })
    .flatten({ background: '#ffffff' })
    .webp({ quality: 82 })
    .toBuffer()
    .catch(() => refuse('avatarUnreadable'))
}

/** Runs tasks one at a time, in order; one that finds `mostWaiting` others waiting is refused with `busy`. */
function createTurns({ mostWaiting }: { mostWaiting: number }): <T>(task: () => Promise<T>) => Promise<T> {
  /** Tasks that run or wait. */
  let present = 0
  let last: Promise<unknown> = Promise.resolve()
  return async (task) => {
    if (present > mostWaiting) refuse('busy')
    present += 1
    const turn = last.then(task).finally(() => {
      present -= 1
    })
    last = turn.catch(() => undefined) // the caller gets the error
    return await turn
  }
}
