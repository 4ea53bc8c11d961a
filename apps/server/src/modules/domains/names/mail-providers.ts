/** Domains under which anybody can have a mailbox: everybody could join by a rule of them. */
const providers = new Set(
  `gmail.com googlemail.com msn.com ymail.com rocketmail.com aol.com icloud.com me.com mac.com
  proton.me protonmail.com protonmail.ch pm.me tutanota.com tutanota.de tuta.com tuta.io hey.com fastmail.com fastmail.fm
  zoho.com zohomail.com zohomail.eu mail.com email.com gmx.com gmx.net gmx.de gmx.at gmx.ch web.de t-online.de freenet.de
  posteo.de mailbox.org hushmail.com duck.com disroot.org riseup.net yopmail.com mailinator.com
  mail.ru bk.ru list.ru inbox.ru internet.ru yandex.com yandex.ru ya.ru rambler.ru ukr.net
  qq.com vip.qq.com foxmail.com 163.com vip.163.com 126.com vip.126.com yeah.net sina.com sina.cn vip.sina.com sohu.com
  139.com 189.cn wo.cn aliyun.com tom.com 21cn.com naver.com daum.net hanmail.net kakao.com nate.com docomo.ne.jp
  ezweb.ne.jp au.com softbank.ne.jp i.softbank.jp rediffmail.com
  orange.fr wanadoo.fr free.fr laposte.net sfr.fr libero.it virgilio.it tiscali.it alice.it uol.com.br bol.com.br
  terra.com.br comcast.net verizon.net att.net sbcglobal.net cox.net charter.net bellsouth.net btinternet.com sky.com
  bigpond.com optusnet.com.au rogers.com shaw.ca seznam.cz centrum.cz wp.pl o2.pl onet.pl interia.pl abv.bg`.split(
    /\s+/,
  ),
)
/** Those that have a domain for each country: `yahoo.co.jp`, `hotmail.fr`. */
const ofCountries = /^(yahoo|hotmail|outlook|live)\.(com|[a-z]{2}|com?\.[a-z]{2}|com\.[a-z]{2})$/

/** Whether anybody can have a mailbox under `domain`, an A-label name in lower case. */
export function isMailProvider(domain: string): boolean {
  return providers.has(domain) || ofCountries.test(domain)
}
