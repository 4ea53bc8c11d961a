/** Under which name of local storage the chosen language is kept; the build writes it into the page's first script too. */
export const localeKey = 'atoll_console_locale'
