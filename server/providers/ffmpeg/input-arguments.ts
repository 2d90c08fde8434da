/**
 * Arguments that restrict what ffmpeg and ffprobe may open. Some formats, such as playlists and concat scripts, refer
 * to other files or URLs. ALLOWED_DEMUXERS excludes these formats, and only the protocol of local files is allowed.
 */

const ALLOWED_DEMUXERS =
  'matroska,webm,mov,mp4,m4a,3gp,3g2,mj2,avi,mpegts,mpeg,mpegvideo,ogg,flv,asf,rm,wtv,mxf,dv'

/**
 * Returns the arguments for an input, up to and including `-i`. The path is absolute and never read as an option or a
 * URL.
 */
export function buildInputArguments(path: string): string[] {
  return ['-protocol_whitelist', 'file', '-format_whitelist', ALLOWED_DEMUXERS, '-i', `file:${path}`]
}
