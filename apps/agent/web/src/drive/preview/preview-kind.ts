/** How a file can be shown before it is downloaded; undefined: not at all. By its name, as the server decides too. */
export type PreviewKind = 'picture' | 'pdf' | 'text'

const kinds: [RegExp, PreviewKind][] = [
  [/\.(png|jpe?g|gif|webp|avif)$/i, 'picture'],
  [/\.pdf$/i, 'pdf'],
  // Pages and drawings can hold scripts: they are shown as the text they are.
  [/\.(txt|md|log|csv|tsv|json|ya?ml|toml|ini|conf|xml|html?|svg|css|jsx?|tsx?|py|rs|go|c|h|java|sh|sql)$/i, 'text'],
]

export function findPreviewKind(name: string): PreviewKind | undefined {
  return kinds.find(([names]) => names.test(name))?.[1]
}
