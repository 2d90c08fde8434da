/**
 * Settings that a profile, including a kids profile, may change for itself without proof that an adult uses the device.
 */
export const PROOF_EXEMPT_SETTINGS = [
  'preferences.language',
  'preferences.captions',
  'preferences.text_size',
  'preferences.high_contrast',
  'preferences.less_motion',
  'preferences.simple_home',
  'preferences.media_title_language',
] as const
