import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

export const live = endpoint({
  access: 'public',
  method: 'GET',
  path: '/health/live',
  reply: z.object({ status: z.literal('ok') }),
  summary: 'The process answers',
})
export const ready = endpoint({
  access: 'public',
  method: 'GET',
  path: '/health/ready',
  reply: z.object({ status: z.literal('ok') }),
  summary: 'The process can serve: its database answers and it is not stopping',
})
