import { createElement, type ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { PosterChoice } from '../../src/islands/dashboard/library/PosterChoice.tsx'
import { TitleFields } from '../../src/islands/dashboard/library/TitleFields.tsx'
import { TitleVisibility } from '../../src/islands/dashboard/library/TitleVisibility.tsx'
import type { AdminTitle } from '../../src/lib/contract/admin-titles.ts'
import { TITLE_FIELDS, type TitleField } from '../../src/lib/rules/title-fields.ts'

const createTitle = (edited: readonly TitleField[]) =>
  ({
    type: 'movie',
    titles: [],
    overviews: [],
    genres: [],
    parental_guide: [],
    edited: [...edited],
  }) as Partial<AdminTitle> as AdminTitle
const doNothing = () => {}
const createTitleEditorElements = (edited: readonly TitleField[]): ReactElement[] => {
  const title = createTitle(edited)
  return [
    createElement(TitleVisibility, { title, draft: {}, onChange: doNothing, onUndo: doNothing }),
    createElement(TitleFields, { title, draft: {}, onChange: doNothing, onUndo: doNothing }),
    createElement(PosterChoice, { title, onChoose: doNothing, onUndo: doNothing }),
  ]
}
const countButtons = (edited: readonly TitleField[]) =>
  createTitleEditorElements(edited).map(
    (view) => renderToStaticMarkup(view).split('aria-label="dashboardlibrary:useImportedOf"').length - 1,
  )

describe('the button that restores the imported value', () => {
  it('appears once in the title dialog for each edited field', () => {
    for (const field of TITLE_FIELDS)
      expect([field, countButtons([field]).reduce((sum, count) => sum + count)]).toEqual([field, 1])
    expect(countButtons(['safe_for_kids', 'parental_guide', 'poster'])).toEqual([2, 0, 1])
  })

  it('is absent for fields that were not edited', () => {
    expect(countButtons([])).toEqual([0, 0, 0])
  })
})
