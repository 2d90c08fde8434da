import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import {
  Captions,
  ChevronDown,
  ChevronLeft,
  ChevronRight,
  ChevronUp,
  Play,
  RotateCcw,
  RotateCw,
  Undo2,
  Volume1,
  Volume2,
} from '../../icons/index.ts'
import { isolateBidi } from '../../lib/i18n/isolate-bidi.ts'
import { t } from '../../lib/i18n/t.ts'
import { MAX_REMOTE_TEXT_LENGTH, type RemoteCommand } from '../../lib/rules/remote-commands.ts'
import { endPhonePairing, sendText } from '../../lib/stores/remote-phone.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { useAction } from '../../ui/use-action.ts'
import { formatDeviceName } from '../format-device-name.ts'
import { useRemoteKey } from './use-remote-key.ts'

/** The keys of a remote control, and a text field whose text is sent to the television when the user submits it. */
export function RemoteControl({ deviceName }: { deviceName: string }) {
  const headingRef = useRef<HTMLHeadingElement>(null)
  /* Focuses the heading instead of the text field, because the keyboard of the phone would cover the keys. */
  useEffect(() => headingRef.current?.focus(), [])
  return (
    <div className="mx-auto flex min-h-dvh w-full max-w-md flex-col gap-6 px-4 py-6">
      <header className="flex items-center justify-between gap-4">
        <div className="min-w-0">
          <h1 ref={headingRef} tabIndex={-1} className="text-lg font-bold outline-none">
            {t('remote:title')}
          </h1>
          <p className="text-sm text-muted wrap-anywhere">
            {t('remote:connectedTo', { device: isolateBidi(formatDeviceName(deviceName)) })}
          </p>
        </div>
        <Button variant="danger" className="shrink-0" onClick={() => void endPhonePairing()}>
          {t('remote:end')}
        </Button>
      </header>
      <DirectionPad />
      <PlaybackKeys />
      <TextSendForm />
    </div>
  )
}

interface RemoteKeyProps {
  command: RemoteCommand
  label: string
  className?: string
  children: ReactNode
}

function RemoteKey({ command, label, className = '', children }: RemoteKeyProps) {
  const keyHandlers = useRemoteKey(command)
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className={`grid min-h-16 place-items-center rounded-lg border border-line bg-overlay font-bold ${className}`}
      // With `touchAction`, two quick presses do not zoom the page. React sets the style by script, which the
      // Content-Security-Policy allows, in contrast to style attributes in HTML.
      style={{ touchAction: 'manipulation', userSelect: 'none' }}
      {...keyHandlers}
    >
      {children}
    </button>
  )
}

/** The arrow keys. Left is on the left side in every language, as on a real remote control. */
function DirectionPad() {
  return (
    <section aria-label={t('remote:directions')} className="flex flex-col gap-3">
      <div dir="ltr" className="grid grid-cols-3 gap-3">
        <span />
        <RemoteKey command="up" label={t('remote:up')}>
          <ChevronUp aria-hidden size={28} />
        </RemoteKey>
        <span />
        <RemoteKey command="left" label={t('remote:left')}>
          <ChevronLeft aria-hidden size={28} />
        </RemoteKey>
        <RemoteKey command="ok" label={t('remote:ok')} className="text-lg text-accent">
          {t('remote:ok')}
        </RemoteKey>
        <RemoteKey command="right" label={t('remote:right')}>
          <ChevronRight aria-hidden size={28} />
        </RemoteKey>
        <RemoteKey command="back" label={t('common:back')}>
          <Undo2 aria-hidden size={24} />
        </RemoteKey>
        <RemoteKey command="down" label={t('remote:down')}>
          <ChevronDown aria-hidden size={28} />
        </RemoteKey>
        <span />
      </div>
      <p className="text-center text-sm text-muted">{t('remote:holdHint')}</p>
    </section>
  )
}

function PlaybackKeys() {
  return (
    <section aria-label={t('remote:playback')} dir="ltr" className="grid grid-cols-3 gap-3">
      <RemoteKey command="rewind" label={t('remote:rewind')}>
        <RotateCcw aria-hidden size={24} />
      </RemoteKey>
      <RemoteKey command="play_pause" label={t('remote:playPause')}>
        <Play aria-hidden size={24} />
      </RemoteKey>
      <RemoteKey command="forward" label={t('remote:forward')}>
        <RotateCw aria-hidden size={24} />
      </RemoteKey>
      <RemoteKey command="volume_down" label={t('remote:volumeDown')}>
        <Volume1 aria-hidden size={24} />
      </RemoteKey>
      <RemoteKey command="captions" label={t('remote:captions')}>
        <Captions aria-hidden size={24} />
      </RemoteKey>
      <RemoteKey command="volume_up" label={t('remote:volumeUp')}>
        <Volume2 aria-hidden size={24} />
      </RemoteKey>
    </section>
  )
}

function TextSendForm() {
  const [draftText, setDraftText] = useState('')
  const [sendResult, setSendResult] = useState<'sent' | 'failed' | null>(null)
  const [isSending, runSending] = useAction()
  const submitForm = async () => {
    const isTextSent = await sendText(draftText)
    setSendResult(isTextSent ? 'sent' : 'failed')
    // Keeps text that the user typed while the request was running.
    if (isTextSent) setDraftText((currentText) => (currentText === draftText ? '' : currentText))
  }
  const handleSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (draftText) void runSending(submitForm)
  }
  return (
    <form onSubmit={handleSubmit} className="flex flex-col gap-3">
      <Field
        label={t('remote:text')}
        value={draftText}
        maxLength={MAX_REMOTE_TEXT_LENGTH}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        enterKeyHint="send"
        onChange={(event) => {
          setDraftText(event.target.value)
          setSendResult(null)
        }}
        hint={<p className="text-sm text-muted">{t('remote:textHint')}</p>}
      />
      <Button type="submit" variant="primary" className="min-h-12" aria-disabled={isSending}>
        {t('remote:send')}
      </Button>
      <p role="status" className="min-h-[1.2em] text-sm">
        {sendResult && t(sendResult === 'sent' ? 'remote:sent' : 'remote:notSent')}
      </p>
    </form>
  )
}
