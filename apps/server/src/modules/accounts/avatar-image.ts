/**
 * An uploaded picture becomes one of ours: cropped to a square, 256 px, WebP. Decoded pixels are encoded anew, so nothing of
 * the file survives: no place where it was taken, no second file behind the first. Read by libvips, limited to three formats
 * told by their first bytes; SVG, which can hold script and ask for other files, is never parsed.
 */
import { avatarSize } from '@atoll/contract'
import { refuse } from '../../http/refusal.ts'

/** Pixels. A small file can claim to be enormous; a photograph of 50 megapixels is within it. */
const mostPixels = 64_000_000
/** Seconds. What decodes longer is no picture of a person. */
const patience = 10

const signatures: readonly ((bytes: Buffer) => boolean)[] = [
  (bytes) => bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff])),
  (bytes) => bytes.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])),
  (bytes) => bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP',
]

/** The picture as it is stored, WebP. Refuses what is none, cannot be read, or is too large to be decoded. */
export async function encodeAvatar(file: Buffer): Promise<Buffer> {
  if (!signatures.some((matches) => matches(file))) refuse('avatarNotPicture')
  // A native library of 20 MB: loaded when the first picture comes, not when the server starts.
  const { default: sharp } = await import('sharp')
  const open = () => sharp(file, { limitInputPixels: mostPixels, failOn: 'error', sequentialRead: true, pages: 1 })
  const { width, height } = await open()
    .metadata()
    .catch(() => refuse('avatarUnreadable'))
  if (width * height > mostPixels) refuse('avatarTooManyPixels', { megapixels: mostPixels / 1_000_000 })
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
