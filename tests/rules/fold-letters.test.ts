import { expect, it } from 'vitest'
import { toAsciiDigits } from '../../src/lib/rules/fold-letters.ts'
import { foldSearchText } from '../../src/lib/rules/fold-search-text.ts'
import { foldTitle } from '../../src/lib/rules/fold-title.ts'
import { slugify } from '../../src/lib/rules/slug.ts'

it('catalogue search, title matching and slugs replace special Latin letters with the same basic letters', () => {
  const title = 'Đặc Œuvre Łódź Ørn'
  expect(foldSearchText(title)).toBe('dac oeuvre lodz orn')
  expect(foldTitle(title)).toBe('dac oeuvre lodz orn')
  expect(slugify(title)).toBe('dac-oeuvre-lodz-orn')
})

it('catalogue search replaces Persian letters with Arabic ones, and title matching replaces ة with ه and ى with ي', () => {
  expect(foldSearchText('کتابي پاریس')).toBe('كتابي باريس')
  expect(foldTitle('مدينة على')).toBe('مدينه علي')
})

it('Arabic, Persian, Devanagari, full-width and mathematical digits become ASCII digits', () => {
  expect(toAsciiDigits('٢٠١٢ ۲۰ ०९ ２４')).toBe('2012 20 09 24')
  expect(toAsciiDigits('𝟎𝟗 𝟘𝟡 𝟶𝟿')).toBe('09 09 09')
})
