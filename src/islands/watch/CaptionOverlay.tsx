import { useStore } from '@nanostores/react'
import { $captionPreferences } from '../../lib/stores/captions.ts'
import { $areControlsVisible, $isPopoverOpen } from './controls.ts'
import { $activeCues } from './text-captions.ts'
import { $activeCaption } from './tracks.ts'

const SIZE_CLASSES = {
  small: 'text-[clamp(0.8rem,2.2vmin,1.5rem)]',
  medium: 'text-[clamp(1rem,3.2vmin,2.2rem)]',
  large: 'text-[clamp(1.3rem,4.4vmin,3rem)]',
  huge: 'text-[clamp(1.6rem,5.8vmin,4rem)]',
}
const COLOUR_CLASSES = { white: 'text-white', yellow: 'text-accent', green: 'text-good' }
const BACKGROUND_CLASSES = { none: '', half: 'bg-black/70', solid: 'bg-black' }
const EDGE_CLASSES = { none: '', shadow: 'caption-shadow', outline: 'caption-outline' }

/**
 * Draws the active cues over the video, in the caption style of the profile. The cues are above the controls or, while
 * a popover is open, in the upper part of the video.
 */
export function CaptionOverlay({ isEmbedded }: { isEmbedded: boolean }) {
  const cues = useStore($activeCues)
  const caption = useStore($activeCaption)
  const { size, color, background, edge } = useStore($captionPreferences)
  const areControlsVisible = useStore($areControlsVisible)
  const isAbovePopover = useStore($isPopoverOpen)
  const positionClass = isAbovePopover
    ? 'top-16'
    : areControlsVisible && !isEmbedded
      ? 'bottom-32 md:bottom-36'
      : 'bottom-[6%]'
  if (!caption || cues.length === 0) return null
  return (
    <div
      data-captions
      lang={caption.lang === 'und' ? undefined : caption.lang}
      className={`pointer-events-none absolute inset-x-0 flex flex-col items-center gap-1 px-[6%] text-center font-medium transition-[bottom] duration-(--duration-fast) ${positionClass} ${SIZE_CLASSES[size]} ${COLOUR_CLASSES[color]}`}
    >
      {cues.map((cue) => (
        <CaptionCue
          key={`${cue.startTime}/${cue.id}/${cue.text}`}
          cue={cue}
          styleClass={`${BACKGROUND_CLASSES[background]} ${EDGE_CLASSES[edge]}`}
        />
      ))}
    </div>
  )
}

/**
 * Renders the document fragment that the browser parsed from the cue. The text of a cue is never inserted as
 * HTML.
 */
const CaptionCue = ({ cue, styleClass }: { cue: VTTCue; styleClass: string }) => (
  <p dir="auto" className="max-w-[46em] leading-snug">
    <span
      className={`box-decoration-clone rounded-sm px-[0.35em] py-[0.08em] whitespace-pre-line ${styleClass}`}
    >
      {/* The text is positioned, because browsers paint positioned elements later. The background of a
          line then never covers the letters of the line above. */}
      <span ref={(element) => element?.replaceChildren(cue.getCueAsHTML())} className="relative" />
    </span>
  </p>
)
