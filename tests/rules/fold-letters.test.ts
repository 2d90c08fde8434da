import { expect, it } from 'vitest'
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
