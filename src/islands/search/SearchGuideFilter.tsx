import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { SlidersHorizontal, X } from '../../icons/index.ts'
import { t } from '../../lib/i18n/t.ts'
import {
  formatGuideFilter,
  GUIDE_KEYS,
  type GuideLimits,
  parseGuideFilter,
} from '../../lib/rules/maturity.ts'
import { $searchGuideFilters, setSearchGuideFilters } from '../../lib/stores/search.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { formatGuideLimit, GuideFilter, setGuideLimit } from '../browse/GuideFilter.tsx'

/** Restricts the results to titles within guide limits. Shows a button, and a chip for each limit. */
export default function SearchGuideFilter() {
  const guideLimits = parseGuideFilter(useStore($searchGuideFilters))
  const [isOpen, setIsOpen] = useState(false)
  const changeLimits = (nextLimits: GuideLimits) => setSearchGuideFilters(formatGuideFilter(nextLimits))
  return (
    <>
      <Button icon={<SlidersHorizontal aria-hidden size={18} />} onClick={() => setIsOpen(true)}>
        {t('guide:heading')}
      </Button>
      {GUIDE_KEYS.map((guideKey) => {
        const guideLevel = guideLimits[guideKey]
        if (!guideLevel) return null
        const limitText = formatGuideLimit(guideKey, guideLevel)
        return (
          <button
            key={guideKey}
            type="button"
            aria-label={t('browse:removeFilter', { name: limitText })}
            onClick={() => changeLimits(setGuideLimit(guideLimits, guideKey, ''))}
            className="inline-flex min-h-11 items-center gap-2 rounded-full border border-line bg-overlay px-4 text-sm hover:border-accent"
          >
            <bdi>{limitText}</bdi>
            <X aria-hidden size={14} />
          </button>
        )
      })}
      {isOpen && (
        <Dialog
          isWide
          title={t('guide:heading')}
          closeLabel={t('common:close')}
          onClose={() => setIsOpen(false)}
        >
          <GuideFilter limits={guideLimits} anyLabel={t('browse:any')} onChange={changeLimits} />
          <Button variant="primary" onClick={() => setIsOpen(false)}>
            {t('common:done')}
          </Button>
        </Dialog>
      )}
    </>
  )
}
