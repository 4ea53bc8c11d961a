/** Texts that signing in and choosing an account need. */
import accountList from '../account-list/texts/zh-CN.json' with { type: 'json' }
import appNotFound from '../app/not-found/texts/zh-CN.json' with { type: 'json' }
import appShell from '../app/shell/texts/zh-CN.json' with { type: 'json' }
import kit from '../kit/texts/zh-CN.json' with { type: 'json' }
import languageList from '../language-list/texts/zh-CN.json' with { type: 'json' }
import signin from '../signin/texts/zh-CN.json' with { type: 'json' }

export default {
  ...kit,
  ...appShell,
  ...appNotFound,
  ...signin,
  ...accountList,
  ...languageList,
}
