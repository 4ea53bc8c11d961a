/**
 * Atolls of the real world, in the order in which unnamed clusters get them. Plain letters only: names are typed to
 * destroy.
 */
export const atollNames = [
  'Rangiroa',
  'Fakarava',
  'Aitutaki',
  'Tikehau',
  'Majuro',
  'Funafuti',
  'Palmyra',
  'Aldabra',
  'Kwajalein',
  'Tetiaroa',
  'Penrhyn',
  'Manihiki',
  'Ulithi',
  'Tarawa',
  'Suwarrow',
  'Bikini',
  'Midway',
  'Addu',
  'Huvadhu',
  'Nukunonu',
  'Atafu',
  'Fakaofo',
  'Manihi',
  'Raroia',
  'Makemo',
  'Hao',
  'Ahe',
  'Apataki',
  'Kaukura',
  'Toau',
  'Mataiva',
  'Takapoto',
  'Rakahanga',
  'Pukapuka',
  'Palmerston',
  'Nukufetau',
  'Nanumea',
  'Nukulaelae',
  'Abaiang',
  'Butaritari',
  'Abemama',
  'Tabiteuea',
  'Onotoa',
  'Arno',
  'Jaluit',
  'Likiep',
  'Mili',
  'Wotje',
  'Utirik',
  'Ailuk',
  'Rongelap',
  'Enewetak',
  'Ifalik',
  'Woleai',
  'Lamotrek',
  'Satawal',
  'Pingelap',
  'Mokil',
  'Ngatik',
  'Nukuoro',
  'Kapingamarangi',
  'Cosmoledo',
  'Farquhar',
  'Alphonse',
  'Ari',
  'Felidhu',
  'Thiladhunmathi',
  'Minicoy',
  'Kure',
  'Clipperton',
] as const

/** The first atoll that is not among `taken` (compared without case), then `Rangiroa 2`, and so on. */
export function nextClusterName(taken: Iterable<string>): string {
  const used = new Set([...taken].map((name) => name.toLowerCase()))
  for (let round = 1; ; round += 1) {
    for (const name of atollNames) {
      const candidate = round === 1 ? name : `${name} ${round}`
      if (!used.has(candidate.toLowerCase())) return candidate
    }
  }
}
