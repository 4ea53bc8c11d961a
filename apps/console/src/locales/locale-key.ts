/** Under which name of local storage the chosen language is kept; the page's first script reads it too. */
export const localeKey = 'atoll_console_locale'
