#!/bin/sh
# Builds ffmpeg and ffprobe for the image from Debian's source package, with the components in the given file, into
# /opt/ffmpeg. Building the image again picks up Debian's security updates of ffmpeg.
set -eu
components=$1

sed -i 's/^Types: deb$/Types: deb deb-src/' /etc/apt/sources.list.d/debian.sources
apt-get update -qq
apt-get install -y -qq --no-install-recommends \
  dpkg-dev gcc libc6-dev libmp3lame-dev libopus-dev make nasm pkg-config zlib1g-dev >/dev/null
mkdir /source && cd /source
apt-get source -qq ffmpeg >/dev/null
cd ffmpeg-*/

# shellcheck disable=SC2046 # One option per line.
./configure --prefix=/opt/ffmpeg \
  --disable-everything --disable-autodetect --disable-network --disable-avdevice --disable-swscale \
  --disable-postproc --disable-hwaccels --disable-doc --disable-debug --disable-ffplay \
  --enable-zlib --enable-libmp3lame --enable-libopus \
  $(cat "$components") >/dev/null
make -s -j"$(nproc)" 2>/dev/null
make -s install-progs >/dev/null
strip /opt/ffmpeg/bin/ffmpeg /opt/ffmpeg/bin/ffprobe
