import { readFile } from 'node:fs/promises'
import { crc32, deflateSync } from 'node:zlib'
import { avatarSize } from '@atoll/contract/accounts'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { Refusal } from '../../../platform/refusal.ts'
import { encodeAvatar } from './avatar-image.ts'

const picture = (width = 900, height = 600) => sharp({ create: { width, height, channels: 3, background: '#0A6672' } })

async function refusalOf(file: Buffer): Promise<string> {
  try {
    await encodeAvatar(file)
    return 'accepted'
  } catch (error) {
    if (error instanceof Refusal) return error.key
    throw error
  }
}

describe('a picture', () => {
  test.each(['jpeg', 'png', 'webp'] as const)('in %s becomes a small square WebP', async (format) => {
    const stored = await encodeAvatar(await picture().toFormat(format).toBuffer())
    expect(await sharp(stored).metadata()).toMatchObject({ format: 'webp', width: avatarSize, height: avatarSize })
    expect(stored.length).toBeLessThan(50_000)
  })

  test('loses where and with what it was taken', async () => {
    const file = await picture()
      .withExif({ IFD0: { Copyright: 'Lena of the lagoon' }, IFD3: { GPSLatitude: '17/1 40/1 0/1' } })
      .jpeg()
      .toBuffer()
    expect(file.includes('Lena of the lagoon')).toBe(true)
    const stored = await encodeAvatar(file)
    expect(stored.includes('Lena of the lagoon')).toBe(false)
    expect((await sharp(stored).metadata()).exif).toBeUndefined()
  })

  test('is turned the way the camera was held', async () => {
    const [left, right] = ['#ff0000', '#0000ff'].map((background) => ({
      create: { width: 300, height: 300, channels: 3 as const, background },
    }))
    const wide = await sharp({ create: { width: 600, height: 300, channels: 3, background: '#000' } })
      .composite([
        { input: left as never, left: 0, top: 0 },
        { input: right as never, left: 300, top: 0 },
      ])
      .png()
      .toBuffer()
    // Orientation 8: the left of the file is the bottom of the scene.
    const file = await sharp(wide).withMetadata({ orientation: 8 }).jpeg().toBuffer()
    const { data, info } = await sharp(await encodeAvatar(file))
      .raw()
      .toBuffer({ resolveWithObject: true })
    const redAt = (row: number) => data[(row * info.width + info.width / 2) * info.channels] ?? 0
    expect(redAt(info.height - 8)).toBeGreaterThan(200)
  })

  test('that is still counts from a moving one', async () => {
    const stored = await encodeAvatar(await picture(64, 64).webp({ loop: 0 }).toBuffer())
    expect((await sharp(stored).metadata()).pages ?? 1).toBe(1)
  })
})

describe('refused is', () => {
  const svg = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>',
  )
  test.each([
    ['an SVG', svg],
    ['an SVG that begins like text', Buffer.concat([Buffer.from('\ufeff<?xml version="1.0"?>\n'), svg])],
    ['a page', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['a PDF', Buffer.from('%PDF-1.7\n')],
    ['nothing', Buffer.alloc(0)],
  ])('%s', async (_, file) => expect(await refusalOf(file)).toBe('avatarNotPicture'))

  test('a GIF, of which only one picture could be kept', async () => {
    expect(await refusalOf(await picture(8, 8).gif().toBuffer())).toBe('avatarNotPicture')
  })

  test('a picture that breaks off', async () => {
    const whole = await picture().png().toBuffer()
    expect(await refusalOf(whole.subarray(0, whole.length / 2))).toBe('avatarUnreadable')
  })

  test.each([
    ['JPEG', Buffer.from([0xff, 0xd8, 0xff, 0xe0])],
    ['PNG', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])],
    ['WebP', Buffer.from('RIFF0000WEBP')],
  ])('what only begins like a %s', async (_, start) => {
    expect(await refusalOf(Buffer.concat([start, Buffer.alloc(200, 1)]))).toBe('avatarUnreadable')
  })

  test.each([
    ['an interlaced PNG', () => picture(5000, 5000).png({ progressive: true }).toBuffer()],
    ['a PNG', () => picture(5000, 5000).png().toBuffer()],
    ['a progressive JPEG', () => picture(5000, 5000).jpeg({ progressive: true }).toBuffer()],
    ['a WebP', () => picture(5000, 5000).webp({ effort: 0 }).toBuffer()],
  ])('%s of 25 megapixels, which would be held whole', async (_, make) => {
    expect(await refusalOf(await make())).toBe('avatarTooManyPixels')
  })

  test('a small file that would be 900 megapixels, before it is unpacked', async () => {
    const memory = process.memoryUsage().rss
    expect(await refusalOf(bomb(30_000, 30_000))).toMatch(/avatarTooManyPixels|avatarUnreadable/)
    expect(process.memoryUsage().rss - memory).toBeLessThan(200 * 1024 * 1024)
  })
})

test('a plain photograph of 50 megapixels is taken: it is shrunk while it is read', async () => {
  expect(await refusalOf(await picture(8160, 6120).jpeg().toBuffer())).toBe('accepted')
})

test('twenty at once are decoded one at a time, some refused, while files go on being read', async () => {
  const file = await picture(4000, 4000).png({ progressive: true }).toBuffer()
  const outcomes: string[] = []
  const all = Array.from({ length: 20 }, () => refusalOf(file).then((outcome) => outcomes.push(outcome)))
  // The decoders have their threads by then; a file's reading needs one too.
  await new Promise((resolve) => setImmediate(resolve))
  await readFile(new URL(import.meta.url))
  // Not after them, however slow the reading is.
  expect(outcomes.filter((outcome) => outcome === 'accepted').length).toBeLessThan(5)
  await Promise.all(all)
  expect(outcomes.filter((outcome) => outcome === 'busy')).toHaveLength(15)
  expect(outcomes.filter((outcome) => outcome === 'accepted')).toHaveLength(5)
  expect(await refusalOf(file)).toBe('accepted')
})

/** A PNG of one colour whose pixels take a thousandth of their size. */
function bomb(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
    const length = Buffer.alloc(4)
    length.writeUInt32BE(data.length)
    const sum = Buffer.alloc(4)
    sum.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, sum])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = 1 // one bit a pixel, grey
  const rows = Buffer.alloc((Math.ceil(width / 8) + 1) * height)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
