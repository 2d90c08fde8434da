/** Translated names of job kinds and job messages, which the server sends as codes. */
import type { Job } from '../../../lib/contract/admin.ts'
import { t, tData } from '../../../lib/i18n/t.ts'

export const jobName = (kind: string) => tData(`dashboard:job_${kind}`, kind)

/** The result message of a job; an unknown code is returned as it is. */
export const jobMessage = ({ message }: Pick<Job, 'message'>) =>
  message === null ? t('dashboard:noReason') : tData(`dashboard:message_${message}`, message)
