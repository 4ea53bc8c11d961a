/** Texts of home, of the frame and of what opens over every signed-in page, fetched with the first of them. */
import appPalette from '../../app/palette/texts/zh-CN.json' with { type: 'json' }
import money from '../../billing/shared/texts/zh-CN.json' with { type: 'json' }
import clustersActions from '../../clusters/actions/texts/zh-CN.json' with { type: 'json' }
import clustersCard from '../../clusters/card/texts/zh-CN.json' with { type: 'json' }
import clustersOrder from '../../clusters/order/texts/zh-CN.json' with { type: 'json' }
import home from '../../home/texts/zh-CN.json' with { type: 'json' }
import signinLocked from '../../signin/locked/texts/zh-CN.json' with { type: 'json' }

export default {
  ...home,
  ...clustersCard,
  ...clustersActions,
  ...clustersOrder,
  ...money,
  ...appPalette,
  ...signinLocked,
}
