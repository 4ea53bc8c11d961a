/**
 * Finds QR codes in pictures. The barcode-detector ponyfill and its wasm (1 MB) load on first use, from this server:
 * the ponyfill's own default would fetch them from a public CDN.
 */
import type { BarcodeDetector } from 'barcode-detector/ponyfill'
import wasmUrl from 'zxing-wasm/reader/zxing_reader.wasm?url'

export type PictureSource = ImageBitmap | HTMLVideoElement | Blob

let reader: Promise<BarcodeDetector> | undefined

async function load(): Promise<BarcodeDetector> {
  const { BarcodeDetector, prepareZXingModule } = await import('barcode-detector/ponyfill')
  await prepareZXingModule({
    overrides: { locateFile: (file: string, prefix: string) => (file.endsWith('.wasm') ? wasmUrl : prefix + file) },
    fireImmediately: true,
  })
  return new BarcodeDetector({ formats: ['qr_code'] })
}

/** @returns the text of the first code in the picture. @throws when the reader cannot load */
export async function findCode(source: PictureSource): Promise<string | undefined> {
  reader ??= load()
  try {
    const [code] = await (await reader).detect(source)
    return code?.rawValue
  } catch (error) {
    // So that the next try loads again, once the network is back.
    reader = undefined
    throw error
  }
}
