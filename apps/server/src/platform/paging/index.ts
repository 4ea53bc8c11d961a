export { type CsvColumns, csvHead, csvLine } from './csv.ts'
export { readBatches } from './read-batches.ts'
export { countAbout, type ListPart, partOf, readLongPage, readPage } from './read-page.ts'
