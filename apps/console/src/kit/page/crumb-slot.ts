/** The breadcrumb's last word, where a page says it itself. */
export const crumbSlot = 'crumb'
