#!/bin/sh
# Generates the demo clips: frames by demo-frames.ts and sound from sine waves, encoded by ffmpeg.
# Needs ffmpeg with libx264. Usage: scripts/demo-clips.sh [output folder]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-"$here/../data/demo/clips"}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$out"

# render_frames NAME SECONDS: writes a nearly lossless intermediate file
render_frames() {
  node "$here/demo-frames.ts" "$1" "$2" |
    ffmpeg -v error -y -f rawvideo -pix_fmt rgb24 -s 640x360 -r 24 -i - \
      -c:v libx264 -preset ultrafast -qp 4 -pix_fmt yuv420p "$work/$1.mkv"
}

# render_sound NAME SECONDS CHORD-A CHORD-B BELLS: fades between two chords every 8 seconds and adds slow bells
render_sound() {
  ffmpeg -v error -y -f lavfi -i "aevalsrc='$3*(0.5+0.5*cos(2*PI*t/16))+$4*(0.5-0.5*cos(2*PI*t/16))+$5':s=44100:d=$2" \
    -af "lowpass=f=1800,aecho=0.8:0.7:180|410:0.35|0.22,afade=t=in:d=3,afade=t=out:st=$(($2 - 4)):d=4,volume=1.4" \
    -ac 1 -t "$2" "$work/$1.wav"
}

# encode NAME OUTPUT HEIGHT VIDEO-KBIT AUDIO-KBIT: two passes, a key frame every ten seconds, index at the start of the
# file
encode() {
  for pass in 1 2; do
    ffmpeg -v error -y -i "$work/$1.mkv" -i "$work/$1.wav" -map 0:v -map 1:a \
      -vf "scale=-2:$3:flags=bicubic" -c:v libx264 -profile:v high -level 3.1 -pix_fmt yuv420p -preset veryslow \
      -b:v "$4k" -maxrate "$(($4 * 4))k" -bufsize "$(($4 * 8))k" -g 240 -bf 6 -aq-mode 1 -aq-strength 0.5 \
      -x264-params deblock=2,2:rc-lookahead=100 \
      -pass "$pass" -passlogfile "$work/log" -c:a aac -b:a "$5k" -ar 32000 \
      -map_metadata -1 -fflags +bitexact -flags:v +bitexact -flags:a +bitexact -movflags +faststart \
      $([ "$pass" = 1 ] && echo "-f mp4 /dev/null" || echo "$out/$2")
  done
}

render_frames night-drive 80
render_sound night-drive 80 \
  "(0.10*sin(2*PI*110*t)+0.08*sin(2*PI*164.81*t)+0.06*sin(2*PI*261.63*t)+0.05*sin(2*PI*246.94*t))" \
  "(0.11*sin(2*PI*87.31*t)+0.08*sin(2*PI*174.61*t)+0.06*sin(2*PI*220*t)+0.05*sin(2*PI*329.63*t))" \
  "0.05*sin(2*PI*659.25*t)*exp(-2.2*mod(t,4))+0.04*sin(2*PI*493.88*t)*exp(-2.4*mod(t+2.5,6))"
encode night-drive night-drive-720p.mp4 720 46 16
encode night-drive night-drive-360p.mp4 360 14 12

render_frames harbour 60
render_sound harbour 60 \
  "(0.10*sin(2*PI*98*t)+0.08*sin(2*PI*146.83*t)+0.06*sin(2*PI*246.94*t))" \
  "(0.10*sin(2*PI*130.81*t)+0.08*sin(2*PI*164.81*t)+0.06*sin(2*PI*293.66*t))" \
  "0.05*sin(2*PI*587.33*t)*exp(-2*mod(t,5))+0.03*sin(2*PI*783.99*t)*exp(-2*mod(t+3,7.5))"
encode harbour harbour-720p.mp4 720 34 14
