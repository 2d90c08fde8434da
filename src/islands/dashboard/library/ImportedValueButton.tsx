import type { AdminTitle } from '../../../lib/contract/admin-titles.ts'
import { t } from '../../../lib/i18n/t.ts'
import type { TitleField } from '../../../lib/rules/title-fields.ts'
import { ActionButton } from '../kit/ActionButton.tsx'

interface Props {
  title: AdminTitle
  field: TitleField
  label: string
  /** Resets the field to the value of the import. */
  onUndo: (field: TitleField) => void
}

/** Resets an edited field to its imported value. Renders nothing for a field without an edit. */
export function ImportedValueButton({ title, field, label, onUndo }: Props) {
  if (!title.edited.includes(field)) return null
  return (
    <ActionButton
      variant="quiet"
      className="self-start"
      aria-label={t('dashboardlibrary:useImportedOf', { field: label })}
      onClick={() => onUndo(field)}
    >
      {t('dashboardlibrary:useImported')}
    </ActionButton>
  )
}
