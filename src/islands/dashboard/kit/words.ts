/** Words for what the server names by a code. */
import type { Job } from '../../../lib/contract/admin.ts'
import { t, tData } from '../../../lib/i18n/t.ts'

export const jobName = (kind: string) => tData(`dashboard:job_${kind}`, kind)

/** What a job says at its end; a code that has no words is shown as it is. */
export const jobMessage = ({ message }: Pick<Job, 'message'>) =>
  message === null ? t('dashboard:noReason') : tData(`dashboard:message_${message}`, message)
