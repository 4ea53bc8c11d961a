export { createLanguage, type Language, type TextLoaders } from './create-language.ts'
export { createTexts, type TextKeyOf, type TranslateWith } from './create-texts.ts'
export {
  dateFormat,
  formatBytes,
  formatFigure,
  formatHardware,
  formatMiB,
  formatPercent,
  spaceHan,
  writeDate,
} from './figures.ts'
export { languageNames } from './language-names.ts'
export { matchLocale } from './match-locale.ts'
