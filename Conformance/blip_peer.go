// go-blip as a peer: `blip_peer listen PORT`, `blip_peer call URL echo|body|urgent`, `blip_peer matrix URL`.
//
// To build it, beside this file:
//
//	go mod init peer && go get github.com/couchbase/go-blip@main && go build -o blip_peer blip_peer.go
//
// go-blip is under the Business Source License: it is run here, and nothing of it is a part of this project.
// listen answers /blip with the profiles Echo and Count, and echoes WebSocket messages at /ws. call prints what
// blip-benchmark prints. matrix sends bodies of many sizes and kinds, and ends with 1 when one comes back wrong.
package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"math/rand"
	"net/http"
	"os"
	"sort"
	"strconv"
	"sync"
	"time"

	"github.com/coder/websocket"
	"github.com/couchbase/go-blip"
)

func main() {
	switch {
	case len(os.Args) == 3 && os.Args[1] == "listen":
		listen(os.Args[2])
	case len(os.Args) == 4 && os.Args[1] == "call":
		call(os.Args[2], os.Args[3])
	case len(os.Args) == 3 && os.Args[1] == "matrix":
		matrix(os.Args[2])
	default:
		fmt.Fprintln(os.Stderr, "usage: blip_peer listen PORT | call URL echo|body|urgent | matrix URL")
		os.Exit(2)
	}
}

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func blipContext() *blip.Context {
	made, err := blip.NewContext(blip.ContextOptions{ProtocolIds: []string{"Conformance"}})
	fail(err)
	made.LogMessages, made.LogFrames = false, false
	return made
}

func listen(port string) {
	peer := blipContext()
	peer.HandlerForProfile["Echo"] = func(request *blip.Message) {
		body, err := request.Body()
		response := request.Response()
		if err == nil && response != nil {
			response.SetCompressed(request.Compressed())
			response.SetBody(body)
		}
	}
	peer.HandlerForProfile["Count"] = func(request *blip.Message) {
		body, err := request.Body()
		response := request.Response()
		if err == nil && response != nil {
			response.Properties["count"] = strconv.Itoa(len(body))
			response.Properties["digest"] = fmt.Sprintf("%x", sha256.Sum256(body))
		}
	}
	http.Handle("/blip", peer.WebSocketServer())
	http.HandleFunc("/ws", func(w http.ResponseWriter, r *http.Request) {
		socket, err := websocket.Accept(w, r, &websocket.AcceptOptions{CompressionMode: websocket.CompressionDisabled})
		if err != nil {
			return
		}
		for {
			kind, data, err := socket.Read(context.Background())
			if err != nil || socket.Write(context.Background(), kind, data) != nil {
				return
			}
		}
	})
	fail(http.ListenAndServe("127.0.0.1:"+port, nil))
}

func request(profile string, body []byte) *blip.Message {
	message := blip.NewRequest()
	message.SetProfile(profile)
	message.SetBody(body)
	return message
}

func answer(sender *blip.Sender, message *blip.Message) *blip.Message {
	if !sender.Send(message) {
		fail(fmt.Errorf("not sent"))
	}
	return message.Response()
}

func call(url, what string) {
	sender, err := blipContext().Dial(url)
	fail(err)
	switch what {
	case "echo":
		echoes(sender)
	case "body":
		bodies(sender)
	default:
		urgent(sender)
	}
}

func echoes(sender *blip.Sender) {
	body := bytes.Repeat([]byte{7}, 100)
	for _, plan := range [][2]int{{1, 5000}, {100, 100000}} {
		depth, count := plan[0], plan[1]
		for round := 0; round < 3; round++ {
			start := time.Now()
			var group sync.WaitGroup
			for task := 0; task < depth; task++ {
				group.Add(1)
				go func() {
					defer group.Done()
					for index := 0; index < count/depth; index++ {
						got, err := answer(sender, request("Echo", body)).Body()
						fail(err)
						if len(got) != 100 {
							fail(fmt.Errorf("another body"))
						}
					}
				}()
			}
			group.Wait()
			fmt.Printf("%d deep: %d echoes/s\n", depth, int(float64(count)/time.Since(start).Seconds()))
		}
	}
}

func bodies(sender *blip.Sender) {
	body := bytes.Repeat([]byte{7}, 64<<20)
	for _, profile := range []string{"Count", "Echo"} {
		for round := 0; round < 3; round++ {
			start := time.Now()
			response := answer(sender, request(profile, body))
			got, err := response.Body()
			fail(err)
			if profile == "Echo" && !bytes.Equal(got, body) ||
				profile == "Count" && response.Properties["count"] != strconv.Itoa(len(body)) {
				fail(fmt.Errorf("another body"))
			}
			fmt.Printf("64 MiB, %s: %d MB/s\n", profile, int(float64(len(body))/1e6/time.Since(start).Seconds()))
		}
	}
}

func urgent(sender *blip.Sender) {
	bulk := request("Count", bytes.Repeat([]byte{7}, 200<<20))
	if !sender.Send(bulk) {
		fail(fmt.Errorf("not sent"))
	}
	var times []float64
	for index := 0; index < 200; index++ {
		start := time.Now()
		message := request("Echo", []byte{1})
		message.SetUrgent(true)
		_, err := answer(sender, message).Body()
		fail(err)
		times = append(times, time.Since(start).Seconds()*1000)
	}
	_, err := bulk.Response().Body()
	fail(err)
	sort.Float64s(times)
	fmt.Printf("urgent echoes during 200 MiB: median %f ms, p99 %f ms\n", times[100], times[197])
}

func matrix(url string) {
	sender, err := blipContext().Dial(url)
	fail(err)
	count, wrong := 0, 0
	for _, size := range []int{0, 1, 100, 4096, 16384, 200000, 5 << 20} {
		random, text := make([]byte, size), bytes.Repeat([]byte("the same words again and again, "), size/32+1)[:size]
		rand.New(rand.NewSource(int64(size))).Read(random)
		for _, body := range [][]byte{random, text} {
			for _, kind := range []string{"plain", "compressed", "urgent", "no-reply"} {
				message := request("Echo", body)
				message.SetCompressed(kind == "compressed")
				message.SetUrgent(kind == "urgent")
				message.SetNoReply(kind == "no-reply")
				count++
				if !sender.Send(message) {
					wrong++
					continue
				}
				if kind == "no-reply" {
					continue
				}
				got, err := message.Response().Body()
				if err != nil || !bytes.Equal(got, body) {
					wrong++
					fmt.Printf("%d bytes, %s: %d bytes, %v\n", size, kind, len(got), err)
				}
			}
		}
	}
	// What had no reply has been dealt with when this has one.
	if _, err := answer(sender, request("Echo", nil)).Body(); err != nil {
		wrong++
	}
	fmt.Printf("%d messages, %d wrong\n", count, wrong)
	if wrong > 0 {
		os.Exit(1)
	}
}
