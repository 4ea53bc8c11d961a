declare module 'fontverter' {
  /** Converts a font file; what it is from is read from its first bytes. */
  export function convert(font: Buffer, to: 'truetype' | 'woff' | 'woff2'): Promise<Buffer>
}
